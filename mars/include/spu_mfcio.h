/* spu_mfcio.h - transfers of MPU programs, by the names that the SPEs of Cell have them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs of memlift-mpu-cc. Names and numbers are those of IBM's C/C++ Language Extensions
 * for Cell Broadband Engine Architecture, 2.6, "SPU and MFC channels"; transfers are memlift_get
 * and memlift_put (memlift/local_store.h). Local addresses are pointers: data of the program, its
 * stack, or any memory.
 *
 *   size, alignment  any; in strict mode (mars/task.h) those of Cell: 1, 2, 4, 8 or a multiple of
 *                    16 up to 16 KiB, both addresses equal modulo 16 and aligned to the size or 16
 *   tags             0 to 31, of each task its own
 *   tid, rid         ignored
 *   bad addresses    end the program by a signal, as the access of a pointer does
 */
#ifndef SPU_MFCIO_H
#define SPU_MFCIO_H

#include <stdint.h>

#if !defined(MEMLIFT_MPU)
#error "spu_mfcio.h is for programs of MPUs: compile this file by memlift-mpu-cc"
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- Commands, as words of MFC_Cmd ----------------------------------------------------------- */

#define MFC_PUT_CMD 0x20u
#define MFC_PUTB_CMD 0x21u
#define MFC_PUTF_CMD 0x22u
#define MFC_PUTL_CMD 0x24u
#define MFC_PUTLB_CMD 0x25u
#define MFC_PUTLF_CMD 0x26u
#define MFC_GET_CMD 0x40u
#define MFC_GETB_CMD 0x41u
#define MFC_GETF_CMD 0x42u
#define MFC_GETL_CMD 0x44u
#define MFC_GETLB_CMD 0x45u
#define MFC_GETLF_CMD 0x46u
#define MFC_PUTLLUC_CMD 0xb0u
#define MFC_PUTLLC_CMD 0xb4u
#define MFC_PUTQLLUC_CMD 0xb8u
#define MFC_GETLLAR_CMD 0xd0u

#define MFC_CMD_WORD(tid, rid, cmd) (((uint32_t)(tid) << 24) | ((uint32_t)(rid) << 16) | (cmd))

#define MFC_MIN_DMA_SIZE 16u
#define MFC_MAX_DMA_SIZE 16384u
#define MFC_MIN_DMA_LIST_SIZE 8u
#define MFC_MAX_DMA_LIST_SIZE 16384u

/* ---- Transfers --------------------------------------------------------------------------------
 * */

/* A piece of memory for the commands with lists: the low half of its address; the high half is that
 * of the command's ea. Pieces lie one after the other at `ls`, each from a multiple of 16 on; one
 * of less than 16 bytes has the low four bits of its address there. */
typedef struct mfc_list_element {
  uint64_t notify : 1; /* stall and notify: 0 */
  uint64_t reserved : 15;
  uint64_t size : 16; /* bytes; 0 means nothing */
  uint64_t eal : 32;
} mfc_list_element_t;

/* Begin a transfer of `size` bytes. With f the transfer comes after those of its tag that are under
 * way; with b all that is begun later does so, too. list_size is in bytes. */
#define MEMLIFT_MFC(name, command)                                                                 \
  static inline void mfc_##name(const volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, \
                                uint32_t tid, uint32_t rid) {                                      \
    (void)tid, (void)rid;                                                                          \
    memlift_mfc_move(ls, ea, size, tag, command);                                                  \
  }
#define MEMLIFT_MFC_LIST(name, command)                                                            \
  static inline void mfc_##name(const volatile void *ls, uint64_t ea,                              \
                                const volatile mfc_list_element_t *list, uint32_t list_size,       \
                                uint32_t tag, uint32_t tid, uint32_t rid) {                        \
    (void)tid, (void)rid;                                                                          \
    memlift_mfc_list(ls, ea, list, list_size, tag, command);                                       \
  }
void memlift_mfc_move(const volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag,
                      uint32_t command);
void memlift_mfc_list(const volatile void *ls, uint64_t ea, const volatile mfc_list_element_t *list,
                      uint32_t list_size, uint32_t tag, uint32_t command);
MEMLIFT_MFC(put, MFC_PUT_CMD)
MEMLIFT_MFC(putb, MFC_PUTB_CMD)
MEMLIFT_MFC(putf, MFC_PUTF_CMD)
MEMLIFT_MFC(get, MFC_GET_CMD)
MEMLIFT_MFC(getb, MFC_GETB_CMD)
MEMLIFT_MFC(getf, MFC_GETF_CMD)
MEMLIFT_MFC_LIST(putl, MFC_PUTL_CMD)
MEMLIFT_MFC_LIST(putlb, MFC_PUTLB_CMD)
MEMLIFT_MFC_LIST(putlf, MFC_PUTLF_CMD)
MEMLIFT_MFC_LIST(getl, MFC_GETL_CMD)
MEMLIFT_MFC_LIST(getlb, MFC_GETLB_CMD)
MEMLIFT_MFC_LIST(getlf, MFC_GETLF_CMD)
#undef MEMLIFT_MFC
#undef MEMLIFT_MFC_LIST

/* Any of the commands above. eah and eal are the halves of the address; for lists eal is that of
 * the list, by mfc_ea2l of its pointer, and has to lie below 4 GiB. */
void spu_mfcdma64(volatile void *ls, uint32_t eah, uint32_t eal, uint32_t size, uint32_t tag,
                  uint32_t command);
static inline void spu_mfcdma32(volatile void *ls, uint32_t eal, uint32_t size, uint32_t tag,
                                uint32_t command) {
  spu_mfcdma64(ls, 0, eal, size, tag, command);
}

/* Orders transfers of the tag: those that begin later come after those under way. */
void mfc_barrier(uint32_t tag);
static inline void mfc_eieio(uint32_t tag, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  mfc_barrier(tag);
}
static inline void mfc_sync(uint32_t tag) { mfc_barrier(tag); }

/* ---- Tags ------------------------------------------------------------------------------------ */

#define MFC_TAG_UPDATE_IMMEDIATE 0u
#define MFC_TAG_UPDATE_ANY 1u
#define MFC_TAG_UPDATE_ALL 2u

void mfc_write_tag_mask(uint32_t mask);
uint32_t mfc_read_tag_mask(void);
void mfc_write_tag_update(uint32_t how);
static inline void mfc_write_tag_update_immediate(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_IMMEDIATE);
}
static inline void mfc_write_tag_update_any(void) { mfc_write_tag_update(MFC_TAG_UPDATE_ANY); }
static inline void mfc_write_tag_update_all(void) { mfc_write_tag_update(MFC_TAG_UPDATE_ALL); }
static inline uint32_t mfc_stat_tag_update(void) { return 1; } /* a request is never held up */

/* The tags of the mask whose transfers are done, as the last update has asked for. */
uint32_t mfc_read_tag_status(void);
uint32_t mfc_stat_tag_status(void); /* 1: mfc_read_tag_status would not wait */
static inline uint32_t spu_mfcstat(uint32_t how) {
  mfc_write_tag_update(how);
  return mfc_read_tag_status();
}
static inline uint32_t mfc_read_tag_status_immediate(void) {
  return spu_mfcstat(MFC_TAG_UPDATE_IMMEDIATE);
}
static inline uint32_t mfc_read_tag_status_any(void) { return spu_mfcstat(MFC_TAG_UPDATE_ANY); }
static inline uint32_t mfc_read_tag_status_all(void) { return spu_mfcstat(MFC_TAG_UPDATE_ALL); }

static inline uint32_t mfc_stat_cmd_queue(void) { return 16; } /* commands that have room */

#define MFC_TAG_INVALID 0xffffffffu
#define MFC_TAG_VALID 0u
uint32_t mfc_tag_reserve(void); /* a tag that nobody has reserved; MFC_TAG_INVALID: there is none */
uint32_t mfc_tag_release(uint32_t tag); /* MFC_TAG_VALID, or _INVALID if it is not reserved */

/* ---- Atomic lines ---------------------------------------------------------------------------- */

#define MFC_PUTLLC_SUCCESS 0u
#define MFC_PUTLLC_STATUS 1u /* putllc: the reservation was lost, nothing was stored */
#define MFC_PUTLLUC_STATUS 2u
#define MFC_GETLLAR_STATUS 4u

/* Get a line of 128 bytes and reserve it; store it if the reservation holds; store it anyway. Both
 * addresses are multiples of 128. A task has one reservation. It is lost when any task has stored
 * to the line by these commands, and when the line's contents are others than those that were got.
 * A line of which the store changes one aligned doubleword is stored by compare and exchange, so
 * that atomic accesses of that doubleword by the host are respected. */
void memlift_mfc_getllar(volatile void *ls, uint64_t ea);
void memlift_mfc_putllc(const volatile void *ls, uint64_t ea);
void memlift_mfc_putlluc(const volatile void *ls, uint64_t ea);
static inline void mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  memlift_mfc_getllar(ls, ea);
}
static inline void mfc_putllc(const volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  memlift_mfc_putllc(ls, ea);
}
static inline void mfc_putlluc(const volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  memlift_mfc_putlluc(ls, ea);
}
static inline void mfc_putqlluc(const volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid,
                                uint32_t rid) {
  (void)tag, (void)tid, (void)rid;
  memlift_mfc_putlluc(ls, ea);
}

uint32_t mfc_read_atomic_status(void);
static inline uint32_t mfc_stat_atomic_status(void) { return 1; }

/* ---- Addresses, and the decrementer -----------------------------------------------------------
 * */

static inline uint32_t mfc_ea2h(uint64_t ea) { return (uint32_t)(ea >> 32); }
static inline uint32_t mfc_ea2l(uint64_t ea) { return (uint32_t)ea; }
static inline uint64_t mfc_hl2ea(uint32_t high, uint32_t low) { return (uint64_t)high << 32 | low; }
static inline uint64_t mfc_ceil128(uint64_t value) { return (value + 127) & ~(uint64_t)127; }

/* Counts down at 79.8 MHz, as the PlayStation 3 has it. */
void spu_write_decrementer(uint32_t count);
uint32_t spu_read_decrementer(void);

#if defined(__cplusplus)
}
#endif

#endif
