/* memlift.h - public API of libmemlift: the routines that lowered loops call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rules for every function of the first section and of operations.h:
 *   units         sizes and periods are bytes
 *   alignment     none asked of any pointer; aligned pointers are faster
 *   n == 0        allowed, the pointers are then not touched and may be anything
 *   errors        none: the operation is always complete on return
 *   threads       any number of callers at once, as long as their memory does not conflict
 *   signals       async-signal-safe and reentrant; usable before constructors have run, after
 *                 fork and vfork, and in a thread that has no TLS block of ours
 *   state         errno, rounding mode, MXCSR and x87 state are as before; no allocation
 *   bad addresses a signal in the calling thread. On the CPU some of the last bytes may be written
 *                 before the first ones; with an engine, nothing beyond the first byte that may not
 *                 be accessed, and a handler may leave by longjmp
 *   stack         at most 1 KiB on the CPU path, 8 KiB when an engine is in use
 *
 * Environment, read once by constructors through secure_getenv (so ignored in set-uid programs):
 *   MEMLIFT_CPU=LEVEL         upper limit of the instruction set (for tests): generic; on x86-64
 *                             sse2, avx2, avx512; on AArch64 neon, crypto; on RV64 base, zb, v
 *   MEMLIFT_ENGINE=NAME       engine for large copies and fills, as threads or dsa; memlift-info
 *                             --help lists them. An unknown or absent one means cpu
 *   MEMLIFT_THREADS=N         helpers of the engine threads: a number, or cpus= and a list of CPUs
 *                             as 0-3,8; else one on each CPU but the one in use
 *   MEMLIFT_WAIT=poll         wait for engines by polling, not by the instructions of the core
 *   MEMLIFT_LIMITS=LIST       sizes at which the method changes, as copy-string=24K,engine=never;
 *                             memlift-info --help has the names, --calibrate measures the sizes
 *   MEMLIFT_STATS=FILE        counters of engines, messages, tasks are appended to FILE at the end
 *   MEMLIFT_TRACE=FILE        where the time of units and local stores went, written to FILE at the
 *                             end: JSON for chrome://tracing and ui.perfetto.dev
 * test/runtime/environment.sh compares this list with the library and with memlift-info --help.
 */
#ifndef MEMLIFT_MEMLIFT_H
#define MEMLIFT_MEMLIFT_H

#include <stddef.h>
#include <stdint.h>

/* Version of this header; memlift_version() gives the one of the library linked in. */
#define MEMLIFT_VERSION_MAJOR 0
#define MEMLIFT_VERSION_MINOR 1
#define MEMLIFT_VERSION_PATCH 0
#define MEMLIFT_VERSION                                                                            \
  (MEMLIFT_VERSION_MAJOR * 10000 + MEMLIFT_VERSION_MINOR * 100 + MEMLIFT_VERSION_PATCH)

#if defined(__GNUC__)
#define MEMLIFT_API __attribute__((visibility("default")))
#else
#define MEMLIFT_API
#endif

#if defined(__cplusplus)
#define MEMLIFT_RESTRICT __restrict
#define MEMLIFT_NOEXCEPT noexcept
extern "C" {
#else
#define MEMLIFT_RESTRICT restrict
#define MEMLIFT_NOEXCEPT
#endif

/* ---- Copy, move and fill; sums, hashes and checksums --------------------------------------- */

/* The argument `how` of memlift_modsum_u8 and its like is 0 or a sum of these: */
#define MEMLIFT_MODSUM_FOLD                                                                        \
  1u                             /* 0 only where nothing but zeros was added, else 1 to m, which is
                                  * what (x & 255) + (x >> 8) makes; m is less than 2^32 */
#define MEMLIFT_MODSUM_FIRST 2u  /* a alone: the high bits of the result are 0 */
#define MEMLIFT_MODSUM_BEFORE 4u /* b takes a as it was before w: b = (b + a) mod m comes first */

/* A CRC: its polynomial and what follows from it. width is 8 to 64 bits. poly has no leading bit;
 * in the low width bits, x^0 lowest, or when reflected is not 0 bit-reversed, x^0 highest. CRC-32:
 * {32, 1, 0xEDB88320}; CRC-16/XMODEM: {16, 0, 0x1021}. A compiler may emit all of it as constant
 * data. 16,528 bytes.
 * fold: with G the generator times x^(64 - width), of degree 64, and D = 2048, 1536, 1024, 512,
 * 384, 256 and 128 in rows 0 to 6: x^D and x^(D + 64) modulo G, coefficient of x^0 lowest; or when
 * reflected x^(D + 63) and x^(D - 1) modulo G, x^0 highest. Row 7: the quotient of x^128 and G, and
 * G, both without x^64; or when reflected without x^0, x^64 lowest and x highest.
 * table[0] is the usual byte table; table[k][b] is the register after byte b and k zero bytes,
 * from a register of 0. */
struct memlift_crc_poly {
  uint32_t width;
  uint32_t reflected;
  uint64_t poly;
  uint64_t fold[8][2];
  uint64_t table[8][256];
};

/* Derives fold and table from the other members. A width out of range becomes the nearest one in
 * range, bits of poly above the width are cleared. No other thread uses *crc meanwhile. */
MEMLIFT_API void memlift_crc_init(struct memlift_crc_poly *crc) MEMLIFT_NOEXCEPT;

#include "operations.h"

/* The sum of bytes that were summed in two parts: `first` is memlift_inet_sum of the bytes before
 * (or any start value, with first_bytes 0), an even or odd number of them; `second` that of the
 * others, from a start value of 0 and wherever they lie. So parts may be summed in any order and
 * by several threads. 0 only if both are. */
MEMLIFT_API uint32_t memlift_inet_combine(uint32_t first, size_t first_bytes,
                                          uint32_t second) MEMLIFT_NOEXCEPT;

/* The register after two parts: `first` is that after the bytes before, from whatever register,
 * `second` that after the second_bytes others, from a register of 0. No memory is read but *poly,
 * of which width, reflected and poly are enough; about a microsecond. So parts may go through
 * memlift_crc in any order and in several threads. */
MEMLIFT_API uint64_t memlift_crc_combine(uint64_t first, uint64_t second, size_t second_bytes,
                                         const struct memlift_crc_poly *poly) MEMLIFT_NOEXCEPT;

/* ---- Version and errors ------------------------------------------------------------------ */

/* Everything that can go wrong after the first section. Values never change their meaning. */
typedef enum memlift_status {
  MEMLIFT_OK = 0,               /* done */
  MEMLIFT_PENDING = 1,          /* accepted, not complete yet */
  MEMLIFT_BUSY = 2,             /* no room now; nothing was started */
  MEMLIFT_INVALID_ARGUMENT = 3, /* a NULL, a size of zero, a value out of range */
  MEMLIFT_MISALIGNED = 4,       /* an address or a size breaks the engine's alignment rule */
  MEMLIFT_UNKNOWN_ENGINE = 5,   /* no engine of that name in this build */
  MEMLIFT_NOT_PRESENT = 6,      /* the engine is known, this machine has none */
  MEMLIFT_FAULT = 7,            /* the engine met an address that it could not use */
  MEMLIFT_TIMED_OUT = 8,        /* no completion within the time allowed */
  MEMLIFT_BAD_COMMAND = 9,      /* the engine refused the command word */
  MEMLIFT_PROTOCOL = 10,        /* the engine answered something that means nothing */
  MEMLIFT_NO_RESOURCES = 11,    /* the system gave no thread or no memory */
  MEMLIFT_COLLECTED = 12,       /* the token has been collected before */
  MEMLIFT_CANCELLED = 13,       /* the operation was given up; it is not complete */
  MEMLIFT_LIMIT = 14,           /* all places are taken; nothing was done */
  MEMLIFT_WRONG_STATE = 15,     /* not now: what the call is for is in another state */
  MEMLIFT_WRONG_SIDE = 16,      /* a task's call on the host, or the reverse */
  MEMLIFT_CANNOT_SWITCH = 17,   /* a run-complete task would have to wait */
  MEMLIFT_LOST = 18             /* who had it ended without giving it back */
} memlift_status;

/* English text of a status, static storage; never NULL, also for values not in the enum. */
MEMLIFT_API const char *memlift_strerror(memlift_status status) MEMLIFT_NOEXCEPT;

/* Version of the library: MEMLIFT_VERSION, and as text ("0.1.0", static storage). */
MEMLIFT_API unsigned memlift_version(void) MEMLIFT_NOEXCEPT;
MEMLIFT_API const char *memlift_version_string(void) MEMLIFT_NOEXCEPT;

/* ---- What this machine has --------------------------------------------------------------- */

/* All strings are static storage. Sizes are bytes; SIZE_MAX means never. */
struct memlift_description {
  const char *architecture;  /* "x86-64", "riscv64", ... */
  const char *isa_best;      /* highest level that the machine and the system support */
  const char *isa_requested; /* value of MEMLIFT_CPU, "" when unset */
  const char *copy_kernel;   /* kernels in use, named op_arch_isa */
  const char *move_kernel;
  const char *fill_kernel;
  const char *pattern_kernel; /* fills of period 3, 5, 6 and 7 */
  size_t rep_copy_min;        /* from here on copies use the string instructions */
  size_t stream_copy_min;     /* from here on copies bypass the caches */
  size_t rep_fill_min;
  const char *engine;           /* name of the engine in use; "cpu": none */
  const char *engine_requested; /* value of MEMLIFT_ENGINE, "" when unset */
  memlift_status engine_status; /* why the request was not honoured; MEMLIFT_OK when it was */
  size_t engine_min;            /* from here on copies and fills go to the engine */
  const char *sum_kernel;       /* sums, weighted sums and Internet checksums */
  const char *crc_kernel;
  const char *isa_levels;       /* what MEMLIFT_CPU may name here, lowest first: "generic, sse2" */
  const char *limits_requested; /* value of MEMLIFT_LIMITS, "" when unset */
  const char *limits_refused;   /* why it is not used, "" when it is */
  size_t repeat_fill_min;       /* from here on fills of words are moved on from their beginning */
  const char *wait;             /* how a core waits for an engine: "poll", "umwait", "wfe", ... */
  const char *wait_requested;   /* value of MEMLIFT_WAIT, "" when unset */
  const char *engine_health; /* "answers"; "timed out" since it last did; "silent": left alone for a
                                 * pause after three time-outs in a row, then tried by one operation
                                 * */
  uint64_t engine_pause;     /* nanoseconds of that pause: 1 s, doubled by each try that times out,
                                 * 5 min at most; 0 when the engine is not silent */
};

/* Fills *out. size is sizeof *out as the caller was compiled, so that the struct may grow.
 * MEMLIFT_INVALID_ARGUMENT when out is NULL or size is 0. Thread-safe. */
MEMLIFT_API memlift_status memlift_describe(struct memlift_description *out,
                                            size_t size) MEMLIFT_NOEXCEPT;

/* One engine of this build. */
struct memlift_engine_description {
  const char *name;
  const char *about;  /* one line */
  int present;        /* 1 when it can be started here */
  const char *reason; /* why not, "" when present */
  size_t alignment;   /* of both addresses and of the size; 1 is none */
  size_t min_bytes;   /* smallest operation that is sent to it */
  size_t max_bytes;   /* of one command */
  unsigned in_flight; /* commands at once */
};

/* Fills *out for engine number index (0, 1, ...); size as above. MEMLIFT_UNKNOWN_ENGINE past the
 * last. Thread-safe. */
MEMLIFT_API memlift_status memlift_describe_engine(unsigned index,
                                                   struct memlift_engine_description *out,
                                                   size_t size) MEMLIFT_NOEXCEPT;

/* ---- Engines ----------------------------------------------------------------------------- */

/* Starts an engine by name and sends large copies and fills to it; "cpu" stops the one in use. Not
 * async-signal-safe (it may create a thread), thread-safe; MEMLIFT_BUSY when an operation is under
 * way in the engine now. A program that never calls it uses MEMLIFT_ENGINE. The library that this
 * is part of is not unloaded afterwards. */
MEMLIFT_API memlift_status memlift_engine_start(const char *name) MEMLIFT_NOEXCEPT;

/* Stops the engine in use, after which everything runs on the CPU. Same rules as above. */
MEMLIFT_API memlift_status memlift_engine_stop(void) MEMLIFT_NOEXCEPT;

/* Counters since the start of the process; bytes are bytes of operations offered to an engine. */
struct memlift_engine_counters {
  uint64_t operations;   /* calls that an engine took part in */
  uint64_t engine_bytes; /* moved by an engine */
  uint64_t cpu_bytes;    /* finished by the CPU after the engine gave up on them */
  uint64_t busy;         /* calls or commands that found no room */
  uint64_t faults;       /* commands that ended early or were refused */
  uint64_t time_outs;    /* commands given up after a time-out */
  uint64_t shared_bytes; /* done by the CPU as planned: beside the engine, and unaligned ends */
  uint64_t submitted;    /* tokens given out (async.h) */
  uint64_t collected;    /* and collected; their difference is what the program still has to */
  uint64_t cancelled;    /* of those, without being complete */
  uint64_t silent;       /* times that the engine in use was left alone, as it answered nothing */
  uint64_t lost;         /* engines given up: the device has gone, or was closed under them */
};

/* Fills *out; size as above. Thread-safe; the counters are each exact, not taken at one instant. */
MEMLIFT_API memlift_status memlift_engine_count(struct memlift_engine_counters *out,
                                                size_t size) MEMLIFT_NOEXCEPT;

/* Histogram of the operations that were large enough for the engine in use: counts[i] of 2^i to
 * 2^(i + 1) - 1 bytes, which the engine of that name took part in ("cpu": which it had no room
 * for). Larger ones than `classes` tell are in the last class; classes is 1 to 64.
 * MEMLIFT_UNKNOWN_ENGINE for a name that this build drives no engine of. Thread-safe, as above.
 * With MEMLIFT_STATS=FILE a program appends its counters and histograms to FILE when it ends,
 * without waiting for a reader if that is a FIFO; memlift-info --stats FILE prints them. */
#define MEMLIFT_SIZE_CLASSES 48
MEMLIFT_API memlift_status memlift_engine_sizes(const char *name, uint64_t *counts,
                                                unsigned classes) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
