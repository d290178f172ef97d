/* dpdk.c - DPDK's checksum, which is code in a header
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <rte_ip.h>

uint64_t bench_dpdk_cksum(const void *p, size_t n);
uint64_t bench_dpdk_cksum(const void *p, size_t n) { return rte_raw_cksum(p, n); }
