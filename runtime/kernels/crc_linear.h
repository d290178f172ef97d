/* crc_linear.h - whether entries are sums of those at powers of 2, included once a size
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Includers define BITS and ENTRY_LOG, log2 of the bytes of an entry, NAME and ENTRY.
 */
typedef ENTRY(BITS) __attribute__((may_alias)) NAME(entry);

#if MEMLIFT_FOLDS_TABLES
/* Compares all entries with the sums of those at powers of 2, as far as `mask` has them. */
static int NAME(is_linear)(const NAME(entry) * t, const uint64_t *at_bit, uint64_t mask) {
  enum { PER_VECTOR = 16 >> ENTRY_LOG, LOW_BITS = 4 - ENTRY_LOG, HIGH = 1 << (5 - LOW_BITS) };
  NAME(entry) first[PER_VECTOR];
  first[0] = 0;
  for (unsigned bit = 0; bit < LOW_BITS; bit++)
    for (unsigned k = 0; k < 1u << bit; k++)
      first[(1u << bit) + k] = (NAME(entry))(first[k] ^ at_bit[bit]);
  vector low[8], high[HIGH], wrong = {0, 0}, also = {0, 0}; /* two chains */
  __builtin_memcpy(&low[0], first, 16);
  for (unsigned bit = 0; bit < 3; bit++)
    for (unsigned k = 0; k < 1u << bit; k++)
      low[(1u << bit) + k] = low[k] ^ repeated(at_bit[LOW_BITS + bit], BITS);
  high[0] = (vector){0, 0};
  for (unsigned bit = 0; 1u << bit < HIGH; bit++)
    for (unsigned k = 0; k < 1u << bit; k++)
      high[(1u << bit) + k] = high[k] ^ repeated(at_bit[LOW_BITS + 3 + bit], BITS);
  const unsigned char *at = (const unsigned char *)t;
  for (unsigned i = 0; i < HIGH; i++, at += 128)
    for (unsigned k = 0; k < 4; k++) {
      wrong |= read16(at + 16 * k) ^ low[k] ^ high[i];
      also |= read16(at + 64 + 16 * k) ^ low[k + 4] ^ high[i];
    }
  wrong = (wrong | also) & repeated(mask, BITS);
  return !(wrong[0] | wrong[1]);
}
#endif
