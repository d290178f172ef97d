# projects.py - the projects that are built and tested, one record each
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A project is data: its source package, three shell commands and what its tests print.

The commands run in a copy of the source, by sh -e, with CC, CXX and CFLAGS of the compiler in
turn and JOBS, the number of jobs. `verdicts` matches the lines of the test's output that tell
one test's outcome; they are compared with those of the stock build, as is the exit status.
A line is cut to the match, so that times and paths may follow. `needs` names the Debian
packages beside build-essential that the build asks for.
"""

from dataclasses import dataclass

NOTHING = r"(?!)"  # matches no line: the exit status alone tells
AUTOMAKE = r"^(?:PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): \S+"


@dataclass(frozen=True)
class Project:
    """One project; see the head of this file."""
    name: str
    package: str
    configure: str
    build: str
    test: str
    verdicts: str
    needs: tuple = ()
    timeout: int = 3600


# Units of it: the checksums, the parities and the search for zeros: the tests of the compressor and
# of the erasure codes take minutes each where they are not in assembly.
ISAL = """make -f Makefile.unx -j"$JOBS" arch=noarch units="crc raid mem" CC="$CC" AS=false \
  have_as_knows_avx512=n"""

# Debian's patches bring tests that its Makefile.in, which is older, does not compile, and which
# the list of tests, made of all files there are, would name.
LIBARCHIVE = """
for test in libarchive/test/test_*.c; do
  grep -q "$(basename "$test")" Makefile.in || rm "$test"
done
"""

# One object for all four programs: those of its own Makefile compile the amalgamation each.
SQLITE_BUILD = """
make sqlite3.c sqlite3.h shell.c
options="-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_MEMSYS5 -DSQLITE_OSS_FUZZ
  -DSQLITE_MAX_MEMORY=50000000 -DSQLITE_PRINTF_PRECISION_LIMIT=1000 -DSQLITE_ENABLE_FTS4
  -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE
  -DSQLITE_ENABLE_GEOPOLY -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_BYTECODE_VTAB
  -DSQLITE_ENABLE_SESSION -DSQLITE_ENABLE_PREUPDATE_HOOK -DSQLITE_THREADSAFE=0
  -I. -Itest -Iext/recover -Iext/session"
$CC $CFLAGS $options -c sqlite3.c -o all.o
$CC $CFLAGS $options -DSQLITE_OS_KV_OPTIONAL test/speedtest1.c all.o -lm -o speedtest1
$CC $CFLAGS $options shell.c all.o -lm -o sqlite3-shell
$CC $CFLAGS $options test/fuzzcheck.c test/ossfuzz.c test/fuzzinvariants.c ext/recover/dbdata.c \
  ext/recover/sqlite3recover.c test/vt02.c all.o -lm -o fuzzcheck
"""
SQLITE_TEST = """
./speedtest1 --size 5 --verify --memdb | sed -n 's/.*\\(Verification Hash: .*\\)/VERDICT \\1/p'
for n in 1 4 6 8; do
  ./fuzzcheck test/fuzzdata$n.db >fuzz.out 2>&1 || { cat fuzz.out; exit 1; }
  sed -n 's/^fuzzcheck: \\(0 errors out of [0-9]* tests\\).*/VERDICT \\1/p' fuzz.out
done
./sqlite3-shell :memory: "create table t(a,b);
  with recursive c(i) as (select 1 union all select i+1 from c where i<50000)
    insert into t select i, hex(zeroblob(i % 97)) || i from c;
  create index ti on t(b); vacuum; pragma integrity_check;
  select 'VERDICT', count(*), sum(length(b)), max(b) from t;"
"""

# The quick ones first. xxhsum tries its hashes when it is asked for its version. zstd and lz4
# print hundreds of lines: where the scripts stop is what tells.
PROJECTS = [
    Project("zlib", "zlib", "./configure", 'make -j"$JOBS"', "make check",
            r"^\s*\*\*\* zlib.*test (?:OK|FAILED)"),
    Project("bzip2", "bzip2", "true",
            'make -j"$JOBS" CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" bzip2 bzip2recover',
            'make CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" test', r"^cmp .*"),
    Project("lz4", "lz4", "true",
            'make -j"$JOBS" -C lib liblz4.a && make -j"$JOBS" -C programs lz4 && '
            "make -C tests datagen",
            "make -C tests check", r"^ ---- .*"),
    Project("libdeflate", "libdeflate", "true",
            'make -j"$JOBS" && make -j"$JOBS" test_programs', "make check",
            NOTHING, needs=("zlib1g-dev",)),
    Project("xxhash", "xxhash", "true", 'make -j"$JOBS" xxhsum',
            "./xxhsum --version >/dev/null && make test-xxhsum-c", r"^\S+: OK"),
    Project("sqlite", "sqlite3", "./configure -q --disable-tcl --disable-readline", SQLITE_BUILD,
            SQLITE_TEST, r"^VERDICT.*", needs=("tcl",)),
    Project("tcpdump", "tcpdump", "./configure -q --without-crypto", 'make -j"$JOBS"', "make check",
            r"^\s+\S+\s*: (?:passed|TEST FAILED).*", needs=("libpcap-dev",)),
    Project("xz", "xz-utils", "./configure -q --disable-nls --disable-shared --disable-doc",
            'make -j"$JOBS"', "make -k check", AUTOMAKE),
    Project("libpng", "libpng1.6", "./configure -q --disable-shared", 'make -j"$JOBS"',
            'make -j"$JOBS" -k check', AUTOMAKE, needs=("zlib1g-dev",)),
    Project("gzip", "gzip", "./configure -q", 'make -j"$JOBS"', 'make -j"$JOBS" check', AUTOMAKE),
    Project("zstd", "libzstd", "true",
            'make -j"$JOBS" -C programs zstd && make -C tests datagen', "make -C tests check",
            r"^===> .*"),
    Project("isa-l", "libisal", "true", ISAL + " lib", ISAL + " -k check",
            r"^\S+ ?.*[Pp]ass\S*|.*[Ff]ail.*"),
    Project("e2fsprogs", "e2fsprogs", "./configure -q --disable-nls --disable-fuse2fs",
            'make -j"$JOBS"', 'make -k -j"$JOBS" check',
            r"^\w+: .*: (?:ok|failed|skipped).*|^\d+ tests (?:succeeded|failed).*"),
    Project("rsync", "rsync", "./configure -q --disable-openssl --disable-xxhash --disable-zstd "
            "--disable-lz4 --disable-md2man --disable-debug", 'make -j"$JOBS"', "make -k check",
            r"^(?:PASS|FAIL|SKIP|XFAIL)\s+\S+"),
    Project("busybox", "busybox", 'make CC="$CC" HOSTCC=gcc defconfig >configure.out',
            'make -j"$JOBS" CC="$CC" HOSTCC=gcc busybox', "cd testsuite && ./runtest",
            r"^(?:PASS|FAIL|SKIPPED|UNTESTED): .*"),
    Project("libarchive", "libarchive", LIBARCHIVE + "./configure -q --disable-shared "
            "--without-xml2 --without-expat --without-openssl --without-nettle", 'make -j"$JOBS"',
            'make -j"$JOBS" -k check', AUTOMAKE, needs=("libbz2-dev", "liblzma-dev", "zlib1g-dev")),
]
