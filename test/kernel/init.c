// init.c - the only program on the kernel that test/kernel boots: tries it, tells, powers off
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a library, and compiled by the stock compiler: what fails here, failed in the kernel.
// Writes a file to an ext4 file system on a virtio disk and reads it back through the disk, sends
// datagrams of many lengths and a stream over the loopback device, forks. Prints a line for each,
// and "all is well" only if all was.
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/if.h>
#include <linux/in.h>
#include <linux/reboot.h>
#include <linux/wait.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum { AF_INET_ = 2, SOCK_STREAM_ = 1, SOCK_DGRAM_ = 2, BLOCK = 4096, BLOCKS = 512 };

static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                   : "memory");
  return a0;
}

#define CALL(name, a, b, c, d, e) \
  call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

static void say(const char *text) {
  size_t n = 0;
  while (text[n])
    ++n;
  CALL(write, 1, text, n, 0, 0);
}

static void number(long n) {
  char text[24], *at = text + sizeof text;
  unsigned long rest = n < 0 ? -(unsigned long)n : (unsigned long)n;
  *--at = 0;
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (n < 0)
    *--at = '-';
  say(at);
}

static int bad;

/// True if `result` is what a call should have given; tells otherwise.
static int want(const char *what, long result, int good) {
  if (good)
    return 1;
  say("memlift-init: FAILED: ");
  say(what);
  say(": ");
  number(result);
  say("\n");
  bad = 1;
  return 0;
}

#define TRY(what, result) \
  do { \
    long got_ = (result); \
    if (!want(what, got_, got_ >= 0)) \
      return; \
  } while (0)

static uint8_t out[BLOCK * 4], in[BLOCK * 4];

static uint8_t pattern(unsigned block, unsigned i) {
  return (uint8_t)((i * 131u + block * 29u + (i >> 8)) ^ (block >> 3));
}

static int same(const uint8_t *a, const uint8_t *b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (a[i] != b[i])
      return 0;
  return 1;
}

static void disk(void) {
  TRY("mount /dev", CALL(mount, "devtmpfs", "/dev", "devtmpfs", 0, 0));
  TRY("mount the disk", CALL(mount, "/dev/vda", "/mnt", "ext4", 0, 0));
  long file = CALL(openat, AT_FDCWD, "/mnt/file", O_RDWR | O_CREAT | O_TRUNC, 0600, 0);
  TRY("create", file);
  for (unsigned b = 0; b < BLOCKS; ++b) {
    unsigned n = BLOCK - b % 7; // not the lengths that everybody writes
    for (unsigned i = 0; i < n; ++i)
      out[i] = pattern(b, i);
    long done = CALL(pwrite64, file, out, n, (long)b * BLOCK, 0);
    want("write", done, done == (long)n);
  }
  TRY("fsync", CALL(fsync, file, 0, 0, 0, 0));
  CALL(close, file, 0, 0, 0, 0);
  TRY("unmount", CALL(umount2, "/mnt", 0, 0, 0, 0)); // from the disk, not from memory, now
  TRY("mount again", CALL(mount, "/dev/vda", "/mnt", "ext4", 0, 0));
  file = CALL(openat, AT_FDCWD, "/mnt/file", O_RDONLY, 0, 0);
  TRY("open", file);
  for (unsigned b = 0; b < BLOCKS; ++b) {
    unsigned n = BLOCK - b % 7;
    long done = CALL(pread64, file, in, n, (long)b * BLOCK, 0);
    for (unsigned i = 0; i < n; ++i)
      out[i] = pattern(b, i);
    want("read", done, done == (long)n && same(in, out, n));
  }
  CALL(close, file, 0, 0, 0, 0);
  TRY("unmount again", CALL(umount2, "/mnt", 0, 0, 0, 0));
  say("memlift-init: disk\n");
}

static struct sockaddr_in loopback(unsigned port) {
  struct sockaddr_in a = {.sin_family = AF_INET_,
                          .sin_port = (uint16_t)((port & 255) << 8 | port >> 8),
                          .sin_addr.s_addr = 0x0100007f};
  return a;
}

static void datagrams(void) {
  struct sockaddr_in to = loopback(4711);
  long receiver = CALL(socket, AF_INET_, SOCK_DGRAM_, 0, 0, 0);
  long sender = CALL(socket, AF_INET_, SOCK_DGRAM_, 0, 0, 0);
  TRY("socket", receiver);
  TRY("socket", sender);
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  TRY("lo up", CALL(ioctl, receiver, 0x8914 /* SIOCSIFFLAGS */, &request, 0, 0));
  TRY("bind", CALL(bind, receiver, &to, sizeof to, 0, 0));
  for (unsigned n = 1; n <= 9000; n = n < 130 ? n + 1 : n * 9 / 8) {
    for (unsigned i = 0; i < n; ++i)
      out[i] = pattern(n, i);
    long done = call(__NR_sendto, sender, (long)out, n, 0, (long)&to, sizeof to);
    want("send", done, done == (long)n);
    done = call(__NR_recvfrom, receiver, (long)in, sizeof in, 0, 0, 0);
    want("receive", done, done == (long)n && same(in, out, n));
  }
  say("memlift-init: datagrams\n");
}

/// The child sends, the parent compares.
static void stream(void) {
  struct sockaddr_in to = loopback(4712);
  long server = CALL(socket, AF_INET_, SOCK_STREAM_, 0, 0, 0);
  TRY("socket", server);
  TRY("bind", CALL(bind, server, &to, sizeof to, 0, 0));
  TRY("listen", CALL(listen, server, 1, 0, 0, 0));
  long child = CALL(clone, SIGCHLD, 0, 0, 0, 0);
  TRY("fork", child);
  if (child == 0) {
    long client = CALL(socket, AF_INET_, SOCK_STREAM_, 0, 0, 0);
    long status = CALL(connect, client, &to, sizeof to, 0, 0);
    for (unsigned b = 0; b < BLOCKS && status >= 0; ++b) {
      for (unsigned i = 0; i < BLOCK; ++i)
        out[i] = pattern(b, i);
      for (long at = 0; at < BLOCK && status >= 0; at += status)
        status = CALL(write, client, out + at, BLOCK - at, 0, 0);
    }
    CALL(exit, status < 0, 0, 0, 0, 0);
  }
  long peer = CALL(accept, server, 0, 0, 0, 0);
  TRY("accept", peer);
  for (unsigned b = 0; b < BLOCKS; ++b) {
    long done = 1;
    for (long at = 0; at < BLOCK && done > 0; at += done)
      done = CALL(read, peer, in + at, BLOCK - at, 0, 0);
    for (unsigned i = 0; i < BLOCK; ++i)
      out[i] = pattern(b, i);
    if (!want("stream", b, done > 0 && same(in, out, BLOCK)))
      return;
  }
  int status = 1;
  TRY("wait", CALL(wait4, child, &status, 0, 0, 0));
  want("child", status, status == 0);
  say("memlift-init: stream\n");
}

void _start(void) {
  say("memlift-init: begins\n");
  disk();
  datagrams();
  stream();
  say(bad ? "memlift-init: something failed\n" : "memlift-init: all is well\n");
  CALL(reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_POWER_OFF, 0, 0);
  for (;;)
    CALL(exit, 1, 0, 0, 0, 0);
}
