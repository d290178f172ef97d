# programs.py - the real programs that apps.py builds and times
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program is data: its source package, the shell commands that build it, and its runs.

`build` runs in a copy of the source by sh -e with CC, CXX, CFLAGS and JOBS set. The command of a
run has HERE (the built copy) and IN (the input file) set and works in a folder that the runs of a
program share; what it writes to standard output must be the same on both sides. `prepare` makes
the files that a run reads, once, by the stock build; it must be the same each time.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One way to use a program; see the head of this file."""
    label: str
    command: str
    prepare: str = "true"


@dataclass(frozen=True)
class App:
    """One program; see the head of this file. `needs` are packages that its build asks for."""
    name: str
    package: str
    build: str
    runs: tuple
    needs: tuple = ()


def filters(program, packs, unpack):
    """Runs of a compressor from standard input to standard output, and the way back."""
    runs = [Run(pack, f'exec "$HERE"/{program} {pack} <"$IN"') for pack in packs]
    if unpack:
        runs.append(Run(unpack, f'exec "$HERE"/{program} {unpack} <packed',
                        f'"$HERE"/{program} {packs[-1]} <"$IN" >packed'))
    return tuple(runs)


def readers(start, ways):
    """Runs that read standard input in several ways; `start` begins each command."""
    return tuple(Run(way, f'exec "$HERE"/{start}{way} <"$IN"') for way in ways)


ARCHIVES = """python3 -c '
import sys, zipfile
for name, method in (("stored.zip", zipfile.ZIP_STORED), ("deflated.zip", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(name, "w", method) as out, open(sys.argv[1], "rb") as data:
        out.writestr(zipfile.ZipInfo("input"), data.read(), method)
' "$IN"
"""

# A dump of redis: version 9, one string, and no checksum, which is computed all the same.
DUMP = """python3 -c '
import struct, sys
value = open(sys.argv[1], "rb").read()
with open("dump.rdb", "wb") as out:
    out.write(b"REDIS0009" + b"\\xfe\\x00" + b"\\x00" + b"\\x03key" + b"\\x80")
    out.write(struct.pack(">I", len(value)) + value + b"\\xff" + bytes(8))
' "$IN"
"""

# Rows of pixels taken from the input, with a filter of PNG's for each.
PICTURE = """python3 -c '
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
wide = 3000
high = min(len(data) // (3 * wide), 4000)
rows = b"".join(bytes([y % 5]) + data[3 * wide * y:3 * wide * (y + 1)] for y in range(high))
def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
with open("picture.png", "wb") as out:
    out.write(b"\\x89PNG\\r\\n\\x1a\\n")
    out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)))
    out.write(chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
' "$IN"
"""

TREE = """mkdir -p tree; cp -r /usr/include/linux tree/; cp "$IN" tree/input
find tree -exec touch -h -d @1000000000 {} +
"""

# A tree of 100,000 small files, whose inodes and directories have checksums.
MANY_FILES = """python3 -c '
import os
for d in range(200):
    os.makedirs(f"many/d{d}", exist_ok=True)
    for f in range(500):
        with open(f"many/d{d}/a file with a name {f}.txt", "w") as out:
            out.write("x" * (f % 90))
'
find many -exec touch -h -d @1000000000 {} +
"""

BUSYBOX = ('make -s CC="$CC" HOSTCC=cc defconfig >configure.out;'
           ' make -s -j"$JOBS" CC="$CC" HOSTCC=cc busybox')
COREUTILS = ('FORCE_UNSAFE_CONFIGURE=1 ./configure -q --disable-nls CC="$CC" CFLAGS="$CFLAGS";'
             ' make -s -j"$JOBS"')
E2FSPROGS = ('./configure -q --disable-nls --disable-fuse2fs CC="$CC" CFLAGS="$CFLAGS";'
             ' make -s -j"$JOBS" libs; make -s -j"$JOBS" -C e2fsck;'
             ' make -s -j"$JOBS" -C misc mke2fs')
SQUASHFS = ('make -s -j"$JOBS" -C squashfs-tools CC="$CC" EXTRA_CFLAGS="$CFLAGS" mksquashfs '
            'unsquashfs XZ_SUPPORT=0 LZO_SUPPORT=0 LZ4_SUPPORT=0 ZSTD_SUPPORT=0 XATTR_SUPPORT=0')
RSYNC = ('./configure -q --disable-openssl --disable-xxhash --disable-zstd --disable-lz4 '
         '--disable-md2man CC="$CC" CFLAGS="$CFLAGS"; make -s -j"$JOBS" rsync')
PNG = ('./configure -q --disable-shared CC="$CC" CFLAGS="$CFLAGS"; make -s -j"$JOBS" libpng16.la;'
       ' $CC $CFLAGS -I. contrib/tools/pngcp.c .libs/libpng16.a -lz -lm -o pngcp')
MKIMAGE = ('make -s tools-only_defconfig; make -s -j"$JOBS" HOSTCC="$CC" '
           'HOSTCFLAGS="$CFLAGS" tools-only')
SQL = ("create table t(a integer primary key, b blob, c text);"
       "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)"
       " insert into t select i, zeroblob(i % 500), printf('%d of many words', i * 7 % 9973)"
       " from n;"
       "create index c on t(c); select count(*), sum(length(b)), max(c) from t where c like '9%';"
       "update t set b = c where a % 3 = 0; select sum(length(b)) from t; pragma integrity_check;")

APPS = [
    App("gzip", "gzip", './configure -q CC="$CC" CFLAGS="$CFLAGS"; make -s -j"$JOBS" gzip ||'
        ' make -s -j"$JOBS"', filters("gzip", ("-1", "-6"), "-d")),
    App("minigzip", "zlib", './configure --static; make -s -j"$JOBS" minigzip',
        filters("minigzip", ("-1", "-6"), "-d")),
    App("bzip2", "bzip2", 'make -s -j"$JOBS" bzip2 CC="$CC" CFLAGS="$CFLAGS"',
        filters("bzip2", ("-1",), "-d")),
    App("lz4", "lz4", 'make -s -C lib liblz4.a CC="$CC" CFLAGS="$CFLAGS";'
        ' make -s -C programs lz4 CC="$CC" CFLAGS="$CFLAGS" LDFLAGS=-L../lib',
        filters("programs/lz4", ("-1", "-9"), "-d")),
    App("zstd", "libzstd", 'make -s -j"$JOBS" -C programs zstd CC="$CC" CFLAGS="$CFLAGS" '
        "HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 HAVE_THREAD=0",
        filters("programs/zstd", ("-1 --single-thread", "-5 --single-thread"), "-d")),
    App("compress", "ncompress", 'make -s CC="$CC" CFLAGS="$CFLAGS"',
        filters("compress", ("-c",), "-d -c")),
    App("xz", "xz-utils", './configure -q --disable-nls --disable-shared --disable-doc CC="$CC"'
        ' CFLAGS="$CFLAGS"; make -s -j"$JOBS"', filters("src/xz/xz", ("-0 -T1",), "-d")),
    App("lzip", "lzip", './configure CXX="$CXX" CXXFLAGS="$CFLAGS"; make -s -j"$JOBS"',
        filters("lzip", ("-0",), "-d")),
    App("brotli", "brotli", '$CC $CFLAGS -Ic/include c/common/*.c c/dec/*.c c/enc/*.c '
        "c/tools/brotli.c -lm -o brotli.out",
        filters("brotli.out", ("-q 1 -c", "-q 5 -c"), "-d -c")),
    App("zopfli", "zopfli", "$CC $CFLAGS src/zopfli/*.c -lm -o zopfli.out",
        (Run("--i1", 'exec "$HERE"/zopfli.out --i1 -c few', 'head -c 1000000 "$IN" >few'),)),
    App("unzip", "unzip", 'make -s -f unix/Makefile unzip LOC="-DNO_LCHMOD $CFLAGS" CC="$CC"'
        ' D_USE_BZ2= LIBBZ2= LD="$CC"',
        (Run("-t, stored", 'exec "$HERE"/unzip -tqq stored.zip', ARCHIVES),
         Run("-t, deflated", 'exec "$HERE"/unzip -tqq deflated.zip'),
         Run("-p, deflated", 'exec "$HERE"/unzip -p deflated.zip'))),
    App("mawk", "mawk", './configure -q CC="$CC" CFLAGS="$CFLAGS"; make -s', readers("mawk ", (
        "'{ n[$1]++; s += length($0) } END { print s, n[\"#define\"] }'",
        "'{ gsub(/int/, \"long\"); print }'"))),
    App("coreutils", "coreutils", COREUTILS, readers("src/", (
        "cksum", "cksum -a bsd", "cksum -a sysv", "base64", "wc -l", "od -x", "tr a-z A-Z"))),
    App("busybox", "busybox", BUSYBOX, readers("busybox ", (
        "cksum", "sum", "sum -s", "crc32 /dev/stdin", "md5sum", "gzip -1", "grep -c int", "xxd"))
        + (Run("gunzip", 'exec "$HERE"/busybox gunzip <packed', 'gzip -6n <"$IN" >packed'),
           Run("unxz", 'exec "$HERE"/busybox unxz <packed.xz', 'xz -0 <"$IN" >packed.xz'))),
    App("cksfv", "cksfv", './configure; make -s CC="$CC" CFLAGS="$CFLAGS"',
        (Run("-b", '"$HERE"/src/cksfv -b "$IN" | grep -v "^;"'),)),
    App("cpio", "cpio", './configure -q --disable-nls CC="$CC"'
        ' CFLAGS="$CFLAGS -fcommon -Wno-incompatible-function-pointer-types"; make -s -j"$JOBS"',
        (Run("-o -H crc", 'find tree | sort | exec "$HERE"/src/cpio -o -H crc '
             "--reproducible --quiet --owner=0:0 | md5sum", TREE),
         Run("-i -H crc", 'exec "$HERE"/src/cpio -i --only-verify-crc -H crc --quiet <packed',
             'find tree | sort | "$HERE"/src/cpio -o -H crc --quiet >packed'))),
    App("e2fsck", "e2fsprogs", E2FSPROGS,
        (Run("-fn", 'exec "$HERE"/e2fsck/e2fsck -fn disk', MANY_FILES +
             """rm -f disk; truncate -s 1G disk
             "$HERE"/misc/mke2fs -q -t ext4 -N 150000 -O metadata_csum -d many disk"""),)),
    App("squashfs", "squashfs-tools", SQUASHFS,
        (Run("stored", 'rm -f made; "$HERE"/squashfs-tools/mksquashfs tree made -quiet '
             "-no-progress -processors 1 -noI -noD -noF -mkfs-time 0 -all-time 0 -all-root;"
             "md5sum <made", TREE),
         Run("gzip", 'rm -f made; "$HERE"/squashfs-tools/mksquashfs tree made -quiet -no-progress '
             "-processors 1 -Xcompression-level 1 -mkfs-time 0 -all-time 0 -all-root;"
             "md5sum <made")), ("zlib1g-dev",)),
    App("rsync", "rsync", RSYNC,
        (Run("changes of a file", 'cp changed target; "$HERE"/rsync --no-whole-file --inplace '
             '-I "$IN" target; md5sum <target',
             """(head -c 100000 "$IN"; echo other; tail -c +100100 "$IN") >changed"""),
         Run("-c", '"$HERE"/rsync -c -n -i same "$IN"', 'cp "$IN" same'))),
    App("redis", "redis", 'make -s -j"$JOBS" CC="$CC" OPT="$CFLAGS" MALLOC=libc BUILD_TLS=no'
        " redis-server; ln -s redis-server src/redis-check-rdb",
        (Run("--check-rdb", '"$HERE"/src/redis-check-rdb dump.rdb | grep -c OK', DUMP),)),
    App("pngcp", "libpng1.6", PNG,
        (Run("--level=1", '"$HERE"/pngcp --level=1 picture.png made.png; md5sum <made.png',
             PICTURE),), ("zlib1g-dev",)),
    App("mkimage", "u-boot", MKIMAGE,
        (Run("-d", 'SOURCE_DATE_EPOCH=1 "$HERE"/tools/mkimage -A arm -O linux -T kernel -C none '
             '-a 0 -e 0 -n x -d "$IN" made >/dev/null; md5sum <made'),),
        ("libssl-dev", "bison", "flex")),
    App("sqlite", "sqlite3", './configure -q --disable-tcl --disable-readline CC="$CC"'
        ' CFLAGS="$CFLAGS"; make -s sqlite3.c shell.c;'
        " $CC $CFLAGS -DSQLITE_OMIT_LOAD_EXTENSION shell.c sqlite3.c -lm -lpthread -o shell.out",
        (Run("tables", f'exec "$HERE"/shell.out :memory: "{SQL}"'),), ("tcl",)),
]
