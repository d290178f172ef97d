/* main.c - a packet path over any file: runs each operation, prints its result and its speed.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Usage: packets FILE [REPEATS]
 * Prints one line an operation: name, result (64 bits in hex, a hash of all that the operation left
 * in memory), GB/s (10^9 bytes a second; median of the repeats). The repeats go round all
 * operations, so that a slow moment of the machine does not hit one of them alone. Exit codes: 0
 * done, 2 bad usage or unreadable FILE.
 */
#include "ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
  PACKET = 1500, /* bytes of the file in a packet: an Ethernet payload */
  HEADER = 54,   /* Ethernet, IPv4 and TCP headers, dropped in place */
  SLOT = 2048,   /* bytes a packet may take in the ring */
  SLOTS = 256,   /* packets in the ring: 512 KiB, as a NIC's ring stays in cache */
  MAX_REPEATS = 101
};

struct job {
  const uint8_t *file; /* read only */
  uint8_t *ring;       /* SLOTS * SLOT */
  uint8_t *big;        /* as large as the file */
  struct packet *queue, *log;
  size_t size, packets;
};

static size_t packet_size(const struct job *job, size_t index) {
  size_t left = job->size - index * PACKET;
  return left < PACKET ? left : PACKET;
}

static uint8_t *slot(const struct job *job, size_t index) {
  return job->ring + index % SLOTS * SLOT;
}

/* FNV-1a over 8 bytes at a time: cheap, and any changed byte changes it. */
static uint64_t hash(const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint64_t value = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++)
    value = (value ^ bytes[i]) * 0x100000001b3;
  return value;
}

/* One function an operation: does it over the whole file. */
static uint64_t run_copy_bytes(struct job *job) {
  for (size_t i = 0; i < job->packets; i++)
    copy_bytes(slot(job, i), job->file + i * PACKET, packet_size(job, i));
  return 0;
}

static uint64_t run_drop_header(struct job *job) {
  for (size_t i = 0; i < job->packets; i++)
    drop_header(slot(job, i), PACKET, HEADER);
  return 0;
}

static uint64_t run_copy_packets(struct job *job) {
  for (size_t done = 0; done < job->packets * PACKET; done += job->packets * sizeof *job->queue)
    copy_packets(job->log, job->queue, job->packets);
  return 0;
}

static uint64_t run_copy_file(struct job *job) {
  copy_bytes(job->big, job->file, job->size);
  return 0;
}

static uint64_t run_clear(struct job *job) {
  clear_bytes(job->big, job->size);
  return 0;
}

static uint64_t run_fill(struct job *job) {
  fill_words((uint32_t *)job->big, 0xdeadbeef, job->size / sizeof(uint32_t));
  return 0;
}

static uint64_t run_checksum(struct job *job) {
  uint64_t result = 0;
  for (size_t i = 0; i < job->packets; i++)
    result = result * 31 + internet_checksum(job->file + i * PACKET, packet_size(job, i));
  return result;
}

static uint64_t run_crc(struct job *job) {
  uint64_t result = 0;
  for (size_t i = 0; i < job->packets; i++)
    result = result * 31 + crc32(job->file + i * PACKET, packet_size(job, i));
  return result;
}

/* Where an operation leaves its bytes. */
enum place { NOWHERE, RING, BIG, LOG };

static const struct operation {
  const char *name;
  uint64_t (*run)(struct job *);
  enum place place;
} operations[] = {
    {"copy-packets-bytewise", run_copy_bytes, RING},
    {"drop-headers-in-place", run_drop_header, RING},
    {"copy-descriptors", run_copy_packets, LOG},
    {"copy-file-bytewise", run_copy_file, BIG},
    {"clear-file-size", run_clear, BIG},
    {"fill-32-bit-value", run_fill, BIG},
    {"internet-checksum", run_checksum, NOWHERE},
    {"crc-32", run_crc, NOWHERE},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static uint64_t left_behind(const struct job *job, enum place place) {
  switch (place) {
  case RING: return hash(job->ring, SLOTS * SLOT);
  case BIG: return hash(job->big, job->size);
  case LOG: return hash(job->log, job->packets * sizeof *job->log);
  case NOWHERE: break;
  }
  return 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void *allocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) {
    fprintf(stderr, "packets: out of memory for %zu bytes\n", size);
    exit(2);
  }
  for (size_t i = 0; i < size; i++) /* no page fault inside the clock */
    ((volatile uint8_t *)memory)[i] = 0;
  return memory;
}

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  long end = -1;
  if (file && fseek(file, 0, SEEK_END) == 0)
    end = ftell(file);
  if (end <= 0 || fseek(file, 0, SEEK_SET) != 0) {
    fprintf(stderr, "packets: cannot read '%s', or it is empty\n", path);
    exit(2);
  }
  *size = (size_t)end;
  uint8_t *data = allocate(*size);
  if (fread(data, 1, *size, file) != *size) {
    fprintf(stderr, "packets: '%s' ended early\n", path);
    exit(2);
  }
  fclose(file);
  return data;
}

static struct job prepare(const char *path) {
  struct job job = {0};
  job.file = read_file(path, &job.size);
  job.packets = (job.size + PACKET - 1) / PACKET;
  job.ring = allocate(SLOTS * SLOT);
  job.big = allocate(job.size);
  job.queue = allocate(job.packets * sizeof *job.queue);
  job.log = allocate(job.packets * sizeof *job.log);
  for (size_t i = 0; i < job.packets; i++)
    job.queue[i] = (struct packet){.address = i * PACKET,
                                   .length = (uint32_t)packet_size(&job, i),
                                   .flags = i % 7 == 0,
                                   .timestamp = i * 1000,
                                   .cookie = ~i};
  return job;
}

int main(int argc, char **argv) {
  int repeats = argc > 2 ? atoi(argv[2]) : 5;
  if (argc < 2 || argc > 3 || repeats < 1 || repeats > MAX_REPEATS) {
    fprintf(stderr, "Usage: packets FILE [REPEATS, 1 to %d]\n", MAX_REPEATS);
    return 2;
  }
  struct job job = prepare(argv[1]);
  static double seconds[OPERATIONS][MAX_REPEATS];
  uint64_t results[OPERATIONS] = {0};
  for (int repeat = 0; repeat < repeats; repeat++)
    for (int i = 0; i < OPERATIONS; i++) {
      double start = now();
      uint64_t result = operations[i].run(&job);
      seconds[i][repeat] = now() - start;
      results[i] = results[i] * 31 + result;
      if (repeat == 0) /* once: what is left does not depend on how often it was done */
        results[i] ^= left_behind(&job, operations[i].place);
    }
  for (int i = 0; i < OPERATIONS; i++) {
    qsort(seconds[i], (size_t)repeats, sizeof **seconds, by_value);
    printf("%s %016llx %.2f\n", operations[i].name, (unsigned long long)results[i],
           (double)job.size / seconds[i][repeats / 2] * 1e-9);
  }
  return 0;
}
