/* vectors.c - the bytes of device commands, against vectors worked out from the documents
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Defends contract 8: a command's bytes are the same whichever machine writes them. Built for this
 * machine, and freestanding for big-endian ones (vectors.sh). Exit code 0, or the number of the
 * check that failed.
 *
 * DAX vectors: dax-hv-api.txt, table 36.1 (header) and 36.2.1.2 (extract). Header of a copy: opcode
 * 1 at [23:16], output type 3 at [10:8], primary type 3 at [4:2]. Control: element size 15 at
 * [27:23], output format 4 at [13:10]. DSA vectors: struct dsa_hw_desc.
 */
#include "engine/dax/dax_ccb.h"
#include "engine/dsa/dsa_spec.h"
#include "engine/template/template_spec.h"
#if !defined(__s390x__) /* for which there are no barriers */
#define CHECKS_NI
#include "include/memlift/ni_page.h"
#endif

static struct dax_fill_input input;
static unsigned char bytes[64];

/* Compares the command with words as they are written down; widths of 4 or 8 bytes. */
struct word {
  unsigned offset, width;
  uint64_t value;
};

static int is(int big, const struct word *words, unsigned count) {
  unsigned char expected[64] = {0};
  for (unsigned i = 0; i < count; i++)
    for (unsigned b = 0; b < words[i].width; b++)
      expected[words[i].offset + b] =
          (unsigned char)(words[i].value >> 8 * (big ? words[i].width - 1 - b : b));
  for (unsigned i = 0; i < sizeof bytes; i++)
    if (bytes[i] != expected[i])
      return 0;
  return 1;
}
#define IS(big, ...)                                                                               \
  is(big, (const struct word[]){__VA_ARGS__},                                                      \
     sizeof((const struct word[]){__VA_ARGS__}) / sizeof(struct word))

static void spoil(void) {
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = 0xa5;
}

static int check_first_bytes(void) {
  static const unsigned char header[8] = {0x00, 0x01, 0x03, 0x0c, 0x07, 0x80, 0x10, 0x00};
  memlift_dax_put_copy(bytes, 0x1000, 0x2003, 4096);
  for (unsigned i = 0; i < sizeof header; i++)
    if (bytes[i] != header[i])
      return 0;
  return bytes[54] == 0x10 && bytes[55] == 0x00 && bytes[22] == 0x20 && bytes[23] == 0x03;
}

static int check_dax_copy(void) {
  spoil();
  memlift_dax_put_copy(bytes, 0xfff8000123456780u, 0x00000000deadbeefu, 8192);
  if (!IS(1, {0, 4, 0x0001030c}, {4, 4, 0x07801000}, {16, 8, 0xdeadbeef}, {24, 8, 511},
          {48, 8, 0xfff8000123456780u}))
    return 0;
  memlift_dax_put_copy(bytes, 64, 1, 64);
  return IS(1, {0, 4, 0x0001030c}, {4, 4, 0x07801000}, {16, 8, 1}, {24, 8, 3}, {48, 8, 64});
}

/* 1 MiB of zeros are 65536 elements from as many bits. */
static int check_dax_zeros(void) {
  spoil();
  memlift_dax_put_zeros(bytes, 1 << 20, &input, 1 << 20);
  return IS(1, {0, 4, 0x0001030c}, {4, 4, 0x10001000}, {16, 8, (uintptr_t)input.zeros},
            {24, 8, 65535}, {48, 8, 1 << 20});
}

/* 4160 bytes are a run of 4 elements and one of 256; the length is 32 bytes of elements. */
static int check_dax_pattern(void) {
  spoil();
  memlift_dax_put_pattern(bytes, 128, &input, 4160);
  if (!IS(1, {0, 4, 0x0001036c}, {4, 4, 0x4780d000}, {16, 8, (uintptr_t)input.elements},
          {24, 8, 0x0100001f}, {32, 8, (uintptr_t)input.runs[0]}, {48, 8, 128}))
    return 0;
  memlift_dax_put_pattern(bytes, 128, &input, 4096);
  return IS(1, {0, 4, 0x0001036c}, {4, 4, 0x4780d000}, {16, 8, (uintptr_t)input.elements},
            {24, 8, 0x0100000f}, {32, 8, (uintptr_t)input.runs[63]}, {48, 8, 128});
}

/* Every multiple of 64 to 12 KiB is what its runs add up to. */
static int check_dax_runs(void) {
  const unsigned char *all = (const unsigned char *)input.runs; /* its rows lie one after another */
  memlift_dax_prepare_runs(&input);
  for (size_t size = 64; size <= 3 * DAX_RUN_BYTES; size += 64) {
    memlift_dax_put_pattern(bytes, 0, &input, size);
    uint64_t runs = MEMLIFT_GET(bytes, DAX_CCB, SECONDARY) - (uintptr_t)input.runs[0];
    uint64_t elements = (MEMLIFT_GET(bytes, DAX_CCB, LENGTH) + 1) / DAX_ELEMENT, sum = 0;
    if (runs >= sizeof input.runs)
      return 0;
    for (uint64_t i = 0; i < elements; i++)
      sum += (all[runs + i] + 1u) * DAX_ELEMENT;
    if (sum != size)
      return 0;
  }
  return 1;
}

static int check_dax_elements(void) {
  uint64_t pattern;
  for (unsigned i = 0; i < 8; i++)
    ((unsigned char *)&pattern)[i] = (unsigned char)(i + 1);
  memlift_dax_prepare_pattern(&input, pattern);
  for (unsigned i = 0; i < DAX_RUNS; i++)
    for (unsigned j = 0; j < DAX_ELEMENT; j++)
      if (input.elements[i][j] != j % 8 + 1)
        return 0;
  return 1;
}

static int check_dsa(void) {
  uint64_t pattern;
  for (unsigned i = 0; i < 8; i++)
    ((unsigned char *)&pattern)[i] = (unsigned char)(0x11 * (i + 1));
  spoil();
  memlift_dsa_put_move(bytes, 0x7fff00000003u, 0x10, 0x12345, 0x1000);
  if (!IS(0, {4, 4, 0x0300000c}, {8, 8, 0x1000}, {16, 8, 0x10}, {24, 8, 0x7fff00000003u},
          {32, 4, 0x12345}))
    return 0;
  spoil();
  memlift_dsa_put_fill(bytes, 5, pattern, 9, 0x20);
  if (!IS(0, {4, 4, 0x0400000c}, {8, 8, 0x20}, {16, 8, 0x8877665544332211u}, {24, 8, 5},
          {32, 4, 9}))
    return 0;
  spoil();
  memlift_dsa_put_batch(bytes, 0x4000, 7, 0x60);
  return IS(0, {4, 4, 0x0100000c}, {8, 8, 0x60}, {16, 8, 0x4000}, {32, 4, 7});
}

static int check_template(void) {
  struct memlift_request piece = {MEMLIFT_OPERATION_COPY, (void *)0x12340, (void *)0x567, 0,
                                  0x10001};
  spoil();
  memlift_template_put_job(bytes, &piece, 0x89abcdefu);
  if (!IS(0, {0, 4, 1}, {4, 4, 0x89abcdefu}, {8, 8, 0x12340}, {16, 8, 0x567}, {32, 4, 0x10001}))
    return 0;
  for (unsigned i = 0; i < 8; i++)
    ((unsigned char *)&piece.pattern)[i] = (unsigned char)(0x11 * (i + 1));
  piece.operation = MEMLIFT_OPERATION_FILL;
  spoil();
  memlift_template_put_job(bytes, &piece, 3);
  return IS(0, {0, 4, 2}, {4, 4, 3}, {8, 8, 0x12340}, {24, 8, 0x8877665544332211u},
            {32, 4, 0x10001});
}

/* A field is put without a touch on its neighbours, and taken out again. */
static int check_fields(void) {
  spoil();
  MEMLIFT_PUT(bytes, DAX_CCB, OUTPUT_TYPE, 2);
  if (bytes[0] != 0xa5 || bytes[1] != 0xa5 || bytes[2] != 0xa2 || bytes[3] != 0xa5)
    return 0;
  MEMLIFT_PUT(bytes, DSA_DESC, OPCODE, 0x1ff); /* cut to its bits */
  return bytes[4] == 0xa5 && bytes[6] == 0xa5 && bytes[7] == 0xff &&
         MEMLIFT_GET(bytes, DSA_DESC, OPCODE) == 0xff &&
         MEMLIFT_GET(bytes, DAX_CCB, OPCODE) == 0xa5;
}

#if defined(CHECKS_NI)
/* A message of 13 bytes from an odd address: its bytes in order, zeros up to the next word, and the
 * trigger words with the lowest byte first. hardware.md's places: address [41:0], coordinates
 * [63:42]; size [13:0], time-out [21:14], auto-chain [22]. */
static int check_ni_send(void) {
  static union {
    uint64_t words[MEMLIFT_NI_CHANNEL_SIZE / 8];
    unsigned char bytes[MEMLIFT_NI_CHANNEL_SIZE];
  } channel;
  static const unsigned char from[] = "?abcdefghijklm";
  static const unsigned char word0[] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x07, 0x10, 0x00};
  static const unsigned char word1[] = {0x0d, 0xc0, 0x7f, 0, 0, 0, 0, 0};
  for (unsigned i = 0; i < sizeof channel.bytes; i++)
    channel.bytes[i] = 0xee;
  memlift_ni_send(&channel, from + 1, 13, memlift_ni_word0(UINT64_C(0x34455667788), 0x401),
                  memlift_ni_word1(13, 255, 1), MEMLIFT_NI_MEMORY);
  for (unsigned i = 0; i < 16; i++)
    if (channel.bytes[i] != (i < 13 ? from[1 + i] : 0))
      return 0;
  for (unsigned i = 0; i < 8; i++)
    if (channel.bytes[0x100 + i] != word0[i] || channel.bytes[0x108 + i] != word1[i])
      return 0;
  return channel.bytes[16] == 0xee && channel.bytes[0x110] == 0xee;
}

/* A packet of 13 bytes in a mailbox, to an odd address; what is around that stays. */
static int check_ni_receive(void) {
  static union {
    uint64_t words[MEMLIFT_NI_MAILBOX_SIZE / 8];
    unsigned char bytes[MEMLIFT_NI_MAILBOX_SIZE];
  } box;
  unsigned char to[16] = "################";
  for (unsigned i = 0; i < 13; i++)
    box.bytes[8 + i] = (unsigned char)('a' + i);
  if (memlift_ni_head(&box, MEMLIFT_NI_MEMORY) != 0)
    return 0;
  box.bytes[0] = 13;
  if (memlift_ni_head(&box, MEMLIFT_NI_MEMORY) != 13)
    return 0;
  memlift_ni_load_payload(&box, to + 1, 13);
  for (unsigned i = 0; i < sizeof to; i++)
    if (to[i] != (i >= 1 && i < 14 ? 'a' + i - 1 : '#'))
      return 0;
  memlift_ni_pop(&box, MEMLIFT_NI_MEMORY);
  return box.bytes[0x3f8] == 1 && box.bytes[0x3ff] == 0;
}
#endif

int smoke(void);
int smoke(void) {
  int (*const checks[])(void) = {check_first_bytes, check_dax_copy,  check_dax_zeros,
                                 check_dax_pattern, check_dax_runs,  check_dax_elements,
                                 check_dsa,         check_template,  check_fields,
#if defined(CHECKS_NI)
                                 check_ni_send,     check_ni_receive
#endif
  };
  for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!checks[i]())
      return (int)i + 1;
  return 0;
}

#if defined(SMOKE_FREESTANDING)
/* Called by compilers to set up a variable. */
void *memset(void *to, int value, size_t size);
void *memset(void *to, int value, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)to)[i] = (unsigned char)value;
  return to;
}

void *memcpy(void *to, const void *from, size_t size);
void *memcpy(void *to, const void *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return to;
}
#else
#include <stdio.h>

int main(void) {
  int failed = smoke();
  printf(failed ? "vectors: check %d FAILED\n" : "vectors: ok\n", failed);
  return failed;
}
#endif
