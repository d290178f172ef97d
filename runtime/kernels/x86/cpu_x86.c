/* cpu_x86.c - the highest vector level that the processor has and the system saves
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Written out rather than __builtin_cpu_supports, whose data a constructor of libgcc fills in:
 * we may run earlier. Bits: Intel SDM volume 2A, CPUID; volume 1, 13.3 for XCR0.
 */
#if defined(__x86_64__)
#include "../dispatch.h"
#include "../limits.h"
#include "limits.h"

#include <cpuid.h>

#define LEAF1_ECX_OSXSAVE (1u << 27)
#define LEAF7_EBX_ERMS (1u << 9) /* string instructions by whole lines */
#define LEAF7_EBX_AVX2 (1u << 5)
#define LEAF7_EBX_BMI2 (1u << 8)
#define LEAF7_EBX_AVX512F (1u << 16)
#define LEAF7_EBX_AVX512DQ (1u << 17)
#define LEAF7_EBX_AVX512BW (1u << 30)
#define LEAF7_EBX_AVX512VL (1u << 31)
#define LEAF1_ECX_PCLMULQDQ (1u << 1)
#define LEAF7_ECX_VPCLMULQDQ (1u << 10)
#define LEAF7_ECX_AVX512_VNNI (1u << 11)
#define AMD_ZEN3_ZEN4 0x19 /* one family; a Zen 3 has no AVX-512 */
#define AMD_ZEN5 0x1a
#define XCR0_YMM 0x06u /* SSE and AVX state */
#define XCR0_ZMM 0xe6u /* those, mask registers, both halves of the ZMM file */

/* Returns the register state that the system saves on a context switch. The caller has checked
 * OSXSAVE. */
static unsigned read_xcr0(void) {
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

enum memlift_level memlift_best_level(void) {
  const unsigned avx512 = LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512BW |
                          LEAF7_EBX_AVX512VL | LEAF7_EBX_BMI2;
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & LEAF1_ECX_OSXSAVE))
    return MEMLIFT_LEVEL_SSE2;
  unsigned saved = read_xcr0();
  if ((saved & XCR0_YMM) != XCR0_YMM || !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
      !(ebx & LEAF7_EBX_AVX2))
    return MEMLIFT_LEVEL_SSE2;
  if ((saved & XCR0_ZMM) != XCR0_ZMM || (ebx & avx512) != avx512)
    return MEMLIFT_LEVEL_AVX2;
  return MEMLIFT_LEVEL_AVX512;
}

/* The processor tells all of it at any time. */
int memlift_look_at_machine(void) { return 0; }

/* The family of a processor by AMD (its CPUID specification, Fn0000_0001_EAX), 0 of others. */
static unsigned amd_family(void) {
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || ebx != signature_AMD_ebx ||
      edx != signature_AMD_edx || ecx != signature_AMD_ecx ||
      !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
    return 0;
  return (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
}

int memlift_is_intel(void) {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid(0, &eax, &ebx, &ecx, &edx) && ebx == signature_INTEL_ebx &&
         edx == signature_INTEL_edx && ecx == signature_INTEL_ecx;
}

int memlift_is_zen3_or_zen4(void) { return amd_family() == AMD_ZEN3_ZEN4; }

int memlift_halves_vectors(void) {
  return memlift_is_zen3_or_zen4() && memlift_best_level() == MEMLIFT_LEVEL_AVX512;
}

/* Without "enhanced" string instructions these go byte by byte, or nearly so. */
struct memlift_limits memlift_first_limits(void) {
  struct memlift_limits limits = {MEMLIFT_REP_COPY_MIN, MEMLIFT_STREAM_COPY_MIN,
                                  MEMLIFT_REP_FILL_MIN, SIZE_MAX, 0};
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ebx & LEAF7_EBX_ERMS))
    limits.copy_string = limits.fill_string = SIZE_MAX;
  else if (memlift_is_zen3_or_zen4())
    limits.copy_string = SIZE_MAX, limits.fill_string = MEMLIFT_REP_FILL_ZEN4_MIN;
  else if (memlift_is_intel())
    limits.copy_string = MEMLIFT_REP_COPY_INTEL_MIN,
    limits.copy_stream = MEMLIFT_STREAM_COPY_INTEL_MIN;
  else if (amd_family() == AMD_ZEN5)
    limits.fill_repeat = MEMLIFT_REPEAT_FILL_MIN;
  return limits;
}

int memlift_has_vnni(void) {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ecx & LEAF7_ECX_AVX512_VNNI);
}

/* AVX2 implies SSE4.1, which the narrow kernel wants as well. */
unsigned memlift_clmul_bits(void) {
  enum memlift_level best = memlift_best_level();
  unsigned eax, ebx, ecx, edx;
  if (best < MEMLIFT_LEVEL_AVX2 || !__get_cpuid(1, &eax, &ebx, &ecx, &edx) ||
      !(ecx & LEAF1_ECX_PCLMULQDQ))
    return 0;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ecx & LEAF7_ECX_VPCLMULQDQ))
    return 128;
  return best >= MEMLIFT_LEVEL_AVX512 ? 512 : 256;
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
