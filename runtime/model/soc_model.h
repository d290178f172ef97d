/* soc_model.h - the channels of a PDMA and of a ZDMA in software, behind a bus
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes the very register accesses. A transfer ends after so many looks at its channel's state:
 * then bytes move, all at once. Registers are those of 0x3000000 (PDMA) and 0xfd500000 (ZDMA),
 * whichever is accessed. One thread at a time.
 */
#ifndef MEMLIFT_SOC_MODEL_H
#define MEMLIFT_SOC_MODEL_H

#include "../engine/bus.h"

/* Faults to inject. Transfers are counted from 1; 0 is never. */
struct soc_faults {
  uint32_t error_at;    /* this one ends with an error, and has spoiled half of its destination */
  uint32_t error_count; /* how many from there on; 0 counts as 1 */
  uint32_t short_at;    /* says that it is done, and its counter that it is not (PDMA) */
  /* moves nothing, says that it is done, and that a list could not be read (ZDMA) */
  uint32_t list_at;
  uint32_t silent_at; /* ends without a word: neither done nor an error */
  uint32_t late_at;   /* takes ... */
  uint32_t late;      /* ... so many looks more, and spoils its destination in the end */
};

#define SOC_CHANNELS 8
#define SOC_PAGE 4096
#define SOC_ACCESSES 64

struct soc_channel {
  uint64_t word[0x210 / 4]; /* registers, by their offset: those of 8 bytes have one place */
  unsigned looks;           /* until the transfer ends; 0: none is under way */
  uint32_t number;
};

struct soc_model {
  struct soc_faults faults;
  unsigned looks; /* that a transfer takes */
  /* addresses are physical but for these bits, which are inverted page by page */
  uint64_t scatter;

  /* From here on the model's own; all 0 at first. */
  struct soc_channel channel[SOC_CHANNELS];
  uint32_t transfers, with_lists, refused, shared, refreshed;
  uint64_t now;
  struct {
    uintptr_t address;
    uint64_t value;
  } writes[SOC_ACCESSES]; /* the first ones */
  unsigned write_count;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern struct soc_model *memlift_soc_model;
extern const struct memlift_bus memlift_soc_model_bus;

void memlift_soc_model_reset(struct soc_model *model);

/* Everything that is under way ends now. */
void memlift_soc_model_end_all(struct soc_model *model);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
