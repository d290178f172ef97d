/* tables.c - the generated tables hold together; compiled as C and as C++.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <memlift/attributes.h>
#include <memlift_formats.h>
#include <stddef.h>
#include "memlift_engines.h"
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition, about)                                                                    \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, about, #condition);                            \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

enum Severity { Error, Passed, Missed, Analysis };
enum Unaligned { Trap, Slow, Fast };
enum Kind { Enum, String, Flag, Map };

struct diag {
  int number;
  const char *name;
  enum Severity severity;
  const char *text, *advice, *explanation;
};

static const struct diag diags[] = {
#define MEMLIFT_DIAG(number, enumName, shortName, severity, text, advice, explanation)             \
  {number, shortName, severity, text, advice, explanation},
#include "Diagnostics.inc"
};

enum Code {
#define MEMLIFT_DIAG(number, enumName, ...) Diag_##enumName = number,
#include "Diagnostics.inc"
  Diag_End
};

MEMLIFT_OFF static void check_diagnostics(void) {
  size_t count = sizeof diags / sizeof *diags, i;
  CHECK(count >= 45, "number of codes");
  CHECK(Diag_Lowered == 1001 && Diag_TripCountUnknown == 2010, "enumerators");
  for (i = 0; i < count; i++) {
    const struct diag *d = &diags[i];
    CHECK(i == 0 || diags[i - 1].number < d->number, d->name);
    CHECK(*d->text && !strchr(d->text, '\n') && strlen(d->text) <= 120, d->name);
    CHECK(*d->advice && !strchr(d->advice, '\n') && strlen(d->advice) <= 110, d->name);
    CHECK(d->text[strlen(d->text) - 1] != '.', d->name);
    CHECK(strlen(d->explanation) > 150 && strlen(d->explanation) < 4095, d->name);
    /* Messages about a compilation as a whole; the plugin that does nothing is no error. */
    CHECK(d->severity != Error || d->number < 1000, d->name);
    CHECK(d->number >= 1000 || d->severity == Error || strcmp(d->name, "OtherBuild") == 0, d->name);
    CHECK(d->number < 1000 || d->number > 1999 || d->severity != Missed, d->name);
    /* A reader who is told to change something is shown how; a bug of ours is not theirs. */
    CHECK(d->severity != Missed || strstr(d->explanation, "kept:\n    ") ||
              strcmp(d->name, "ClaimRefuted") == 0,
          d->name);
  }
}

struct core {
  const char *name, *aliases;
  int inOrder, wordBytes, issueWidth, loadUse, rewrite;
  enum Unaligned unaligned;
  int groupWords, unroll, accumulators, inlineMaxBytes, expandMaxBytes, blockZero, countsLoops,
      lineBytes, storeTenths, multiply, afterProduct;
};

static const struct core cores[] = {
#define MEMLIFT_CORE(enumName, nameText, ...) {.name = nameText, __VA_ARGS__},
#include "Cores.inc"
};

static void check_cores(void) {
  size_t count = sizeof cores / sizeof *cores, i, j;
  CHECK(strcmp(cores[0].name, "generic") == 0, "the first core is the default");
  for (i = 0; i < count; i++) {
    const struct core *c = &cores[i];
    CHECK(c->issueWidth >= 1 && c->loadUse >= 1 && c->groupWords >= 1 && c->accumulators >= 1,
          c->name);
    /* In order, no store of a group waits for its load, nor an addition for the one before it. */
    CHECK(!c->inOrder || c->groupWords >= c->issueWidth * c->loadUse, c->name);
    CHECK(c->rewrite >= 1 && (!c->inOrder || c->accumulators >= c->issueWidth * c->rewrite),
          c->name);
    CHECK(c->wordBytes == 4 || c->wordBytes == 8, c->name);
    CHECK(c->inlineMaxBytes >= c->wordBytes && c->inlineMaxBytes % c->wordBytes == 0, c->name);
    CHECK((c->lineBytes & (c->lineBytes - 1)) == 0 && (c->blockZero & (c->blockZero - 1)) == 0,
          c->name);
    CHECK(!c->countsLoops || c->inOrder, c->name);
    CHECK(c->unroll >= 2 && c->unroll <= 16, c->name);
    CHECK(c->storeTenths * c->issueWidth >= 10, c->name);
    CHECK(c->multiply >= 1 && c->multiply <= 64, c->name);
    CHECK(c->afterProduct >= 0 && c->afterProduct <= 4, c->name);
    CHECK(c->expandMaxBytes % (c->wordBytes * c->groupWords) == 0, c->name);
    CHECK(!c->expandMaxBytes || (c->unaligned == Trap && c->expandMaxBytes >= c->inlineMaxBytes),
          c->name);
    CHECK(!c->inOrder || c->inlineMaxBytes <= c->wordBytes * c->groupWords, c->name);
    for (j = 0; j < i; j++)
      CHECK(strcmp(c->name, cores[j].name) != 0, c->name);
  }
}

enum OpKind {
  Fill,
  PatternFill,
  Copy,
  Move,
  StepCopy,
  SwapCopy,
  ReverseCopy,
  Sum,
  LowSum,
  WeightedSum,
  XorFold,
  ModularSum,
  Polyhash,
  OnesSum,
  Crc,
  TableCrc,
  SliceCrc,
  LaneCrc,
  Search,
  Count,
  Compare
};
enum ParamKind { Dst, Src, Table, Registers, Poly, Size, Offset, U8, U16, U32, U64 };

struct operation {
  const char *symbol;
  enum OpKind kind;
  int elementBits, isSigned, swapped, align, disjoint, resultBits, testFrom, testFromEach,
      paramCount;
  enum ParamKind params[6];
  const char *idiom, *libc;
  int async;
  const char *prototype;
};

static int count_params(const struct operation *op, enum ParamKind kind) {
  int i, count = 0;
  for (i = 0; i < op->paramCount; i++)
    count += op->params[i] == kind;
  return count;
}

/* Plugins and verifier rely on these. */
static void check_shape(const struct operation *op) {
  int writes = count_params(op, Dst), reads = count_params(op, Src);
  CHECK(writes + reads >= 1 && writes <= 1 && reads <= (op->kind == Compare ? 2 : 1), op->symbol);
  CHECK(!writes || op->params[0] == Dst, op->symbol);
  CHECK(count_params(op, Size) >= 1, op->symbol);
  CHECK((op->kind >= Sum) == (op->resultBits != 0), op->symbol);
  CHECK(op->resultBits == 0 || op->resultBits == 32 || op->resultBits == 64, op->symbol);
  CHECK((op->kind >= Sum || op->kind == Fill || op->kind == SwapCopy || op->kind == ReverseCopy) ==
            (op->elementBits != 0),
        op->symbol);
  CHECK(op->elementBits % 8 == 0 && op->elementBits <= 64, op->symbol);
  CHECK(!op->disjoint || (writes && reads), op->symbol);
  CHECK(op->align == 1 || op->align == 8 || op->align == 64, op->symbol);
  CHECK((op->kind == TableCrc || op->kind == SliceCrc) == (op->testFrom != 0), op->symbol);
  CHECK((op->kind == SliceCrc) == (op->testFromEach != 0), op->symbol);
}

static void check_operations(void) {
  static const struct operation ops[] = {
#define MEMLIFT_OP(enumName, symbolText, ...) {.symbol = symbolText, __VA_ARGS__},
#include "BulkOps.inc"
  };
  size_t i, j;
  CHECK(sizeof ops / sizeof *ops == 78, "number of operations");
  for (i = 0; i < sizeof ops / sizeof *ops; i++) {
    check_shape(&ops[i]);
    for (j = 0; j < i; j++)
      CHECK(strcmp(ops[i].symbol, ops[j].symbol) != 0, ops[i].symbol);
    CHECK(strstr(ops[i].prototype, ops[i].symbol) != NULL, ops[i].symbol);
    CHECK(strncmp(ops[i].symbol, "memlift_", 8) == 0, ops[i].symbol);
    CHECK(*ops[i].idiom && !strpbrk(ops[i].idiom, " -"), ops[i].symbol);
    /* The C library has plain fills, copies and moves, searches, and nothing that computes. */
    CHECK(*ops[i].libc == 0 || ops[i].kind == Search || strncmp(ops[i].prototype, "void", 4) == 0,
          ops[i].symbol);
    CHECK(*ops[i].libc != 0 || (strcmp(ops[i].symbol, "memlift_copy") != 0 &&
                                strcmp(ops[i].symbol, "memlift_move") != 0 &&
                                strcmp(ops[i].symbol, "memlift_fill8") != 0),
          ops[i].symbol);
    CHECK(strncmp(ops[i].libc, "mem", 3) == 0 || *ops[i].libc == 0, ops[i].symbol);
  }
}

static void check_options(void) {
  static const struct {
    const char *name;
    enum Kind kind;
    const char *values, *help, *byDefault;
  } options[] = {
#define MEMLIFT_OPTION(name, kind, values, help, enumName, byDefault, meta, apart)                 \
  {name, kind, values, help, byDefault},
#include "Options.inc"
  };
  size_t i;
  for (i = 0; i < sizeof options / sizeof *options; i++) {
    CHECK((options[i].kind == Enum || options[i].kind == Map) == (*options[i].values != 0),
          options[i].name);
    CHECK(*options[i].help, options[i].name);
    if (options[i].kind == Enum)
      CHECK(strncmp(options[i].values, options[i].byDefault, strlen(options[i].byDefault)) == 0,
            options[i].name);
  }
}

/* Every byte of a soft device's word belongs to exactly one field. */
static void check_coverage(const char *name, const unsigned char *bits, size_t bytes) {
  size_t i;
  for (i = 0; i < bytes; i++)
    CHECK(bits[i] == 0xff, name);
}

static void claim(unsigned char *bits, int offset, int bytes, uint64_t mask, const char *name) {
  int i;
  for (i = 0; i < bytes; i++) {
    unsigned char part = (unsigned char)(mask >> (8 * i));
    CHECK((bits[offset + i] & part) == 0, name);
    bits[offset + i] |= part;
  }
}

#define CLAIM(format, field)                                                                       \
  claim(bits, MEMLIFT_##format##_##field##_OFFSET, MEMLIFT_##format##_##field##_BYTES,             \
        MEMLIFT_##format##_##field##_MASK, #field)

static void check_formats(void) {
  unsigned char bits[64];
  memset(bits, 0, sizeof bits);
  CLAIM(SOFT_CMD, OPCODE);
  CLAIM(SOFT_CMD, INTERRUPT);
  CLAIM(SOFT_CMD, RESERVED);
  CLAIM(SOFT_CMD, SEQUENCE);
  CLAIM(SOFT_CMD, DESTINATION);
  CLAIM(SOFT_CMD, SOURCE);
  CLAIM(SOFT_CMD, LENGTH);
  CLAIM(SOFT_CMD, COMPLETION);
  CLAIM(SOFT_CMD, RESERVED1);
  CLAIM(SOFT_CMD, RESERVED2);
  CLAIM(SOFT_CMD, RESERVED3);
  check_coverage("soft command", bits, MEMLIFT_SOFT_CMD_SIZE);
  memset(bits, 0, sizeof bits);
  CLAIM(SOFT_COMP, STATUS);
  CLAIM(SOFT_COMP, RESERVED0);
  CLAIM(SOFT_COMP, RESERVED1);
  CLAIM(SOFT_COMP, SEQUENCE);
  CLAIM(SOFT_COMP, BYTES);
  CLAIM(SOFT_COMP, FAULT);
  CLAIM(SOFT_COMP, RESERVED2);
  check_coverage("soft completion", bits, MEMLIFT_SOFT_COMP_SIZE);
}

static void check_engines_and_attributes(void) {
  int engines = 0, attributes = 0;
  static const struct engine {
    const char *name, *source;
  } records[] = {
#define MEMLIFT_ENGINE(identifier, text) {#identifier, text},
#include "Engines.inc"
  };
  for (; engines < (int)(sizeof records / sizeof *records); engines++)
    CHECK(*records[engines].source, records[engines].name);
#define MEMLIFT_ATTRIBUTE(enumName, value, implemented, on, help) attributes += implemented;
#include "Builtins.inc"
  CHECK(engines == 7, "cpu, soft, threads, dax, dsa, pdma and zdma");
#define CHECK_LIMITS(ENGINE, mostBytes)                                                            \
  CHECK(MEMLIFT_##ENGINE##_GRANULE >= 1 && MEMLIFT_##ENGINE##_IN_FLIGHT >= 1 &&                    \
            !(MEMLIFT_##ENGINE##_GRANULE & (MEMLIFT_##ENGINE##_GRANULE - 1)) &&                    \
            (mostBytes) % 8 == 0 && (mostBytes) % MEMLIFT_##ENGINE##_GRANULE == 0,                 \
        #ENGINE)
  CHECK_LIMITS(CPU, 0);
  CHECK_LIMITS(SOFT, MEMLIFT_SOFT_MAX_BYTES);
  CHECK_LIMITS(THREADS, MEMLIFT_THREADS_MAX_BYTES);
  CHECK_LIMITS(DAX, MEMLIFT_DAX_MAX_BYTES);
  CHECK_LIMITS(DSA, MEMLIFT_DSA_MAX_BYTES);
  CHECK_LIMITS(PDMA, MEMLIFT_PDMA_MAX_BYTES);
  CHECK_LIMITS(ZDMA, MEMLIFT_ZDMA_MAX_BYTES);
  CHECK(attributes == 7, "off, require, shape, user, async, stream and spread are its values");
}

int main(void) {
  check_diagnostics();
  check_cores();
  check_operations();
  check_options();
  check_formats();
  check_engines_and_attributes();
  if (failures == 0)
    printf("tables: all checks passed\n");
  return failures != 0;
}
