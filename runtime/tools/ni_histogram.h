/* ni_histogram.h - latencies of memlift-ni-ping: percentiles as text, all of them as a picture
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_NI_HISTOGRAM_H
#define MEMLIFT_NI_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* A latency in nanoseconds at each fraction; sorted is ascending, count at least 1. */
uint64_t ni_percentile(const uint64_t *sorted, size_t count, double fraction);

/* Writes the latencies, in the order in which they were measured, as an SVG: a point for each, on a
 * logarithmic axis, so that plateaus and outliers show. Returns 0, or -1 and errno. */
int ni_plot(const char *file, const uint64_t *latency, size_t count, const char *title);

#endif
