/* image.c - copies of MPU programs, so that each task has data of its own
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The system's loader maps a file once, however often it is opened. So each task's copy is a file
 * of its own, in memory, which is closed again when it is mapped. What a run may change is kept as
 * it was before the first one: the segments that may be written, but for what the loader protects
 * after its relocations. A task that is scheduled once more begins with that.
 */
#include "mars.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__riscv)
#define MACHINE EM_RISCV
#else
#error "libmemlift_mars: name the ELF machine of this architecture"
#endif
#define MACHINE_SPU 23
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTES ELFDATA2LSB
#else
#define BYTES ELFDATA2MSB
#endif

/* ---- Looking at an image ---------------------------------------------------- */

int memlift_mars_image_check(const void *elf, size_t *size) {
  Elf64_Ehdr h;
  const unsigned char *ident = (const unsigned char *)elf;
  if (memcmp(ident, ELFMAG, SELFMAG) != 0)
    return memlift_mars_explain(MARS_ERROR_FORMAT, "the image is no ELF file; memlift-mpu-cc "
                                                   "makes images");
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != BYTES)
    return memlift_mars_explain(MARS_ERROR_FORMAT,
                                "the image is for another machine, perhaps for an SPU; compile "
                                "its source by memlift-mpu-cc");
  memcpy(&h, elf, sizeof h);
  if (h.e_machine != MACHINE)
    return memlift_mars_explain(MARS_ERROR_FORMAT, "the image is for ELF machine %u, this is %u",
                                (unsigned)h.e_machine, (unsigned)MACHINE);
  if (h.e_type != ET_DYN || h.e_phentsize != sizeof(Elf64_Phdr) || !h.e_phnum)
    return memlift_mars_explain(MARS_ERROR_FORMAT,
                                "the image is an object or a program, not what memlift-mpu-cc "
                                "links");
  /* Section headers come last, unless they were stripped. */
  size_t end = h.e_shoff + (size_t)h.e_shnum * h.e_shentsize;
  for (unsigned i = 0; i < h.e_phnum; i++) {
    Elf64_Phdr p;
    memcpy(&p, ident + h.e_phoff + i * sizeof p, sizeof p);
    if (p.p_type == PT_TLS)
      return memlift_mars_explain(MARS_ERROR_FORMAT,
                                  "the image has thread-local variables, which would be shared "
                                  "by its tasks");
    end = p.p_offset + p.p_filesz > end ? p.p_offset + p.p_filesz : end;
  }
  *size = end;
  return MARS_SUCCESS;
}

/* The part of the mapped image that a run may change. */
static void find_data(struct memlift_mars_image *image, const char *elf, char *base) {
  Elf64_Ehdr h;
  uintptr_t protected_end = 0, page = (uintptr_t)sysconf(_SC_PAGESIZE);
  memcpy(&h, elf, sizeof h);
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < h.e_phnum; i++) {
      Elf64_Phdr p;
      memcpy(&p, elf + h.e_phoff + i * sizeof p, sizeof p);
      uintptr_t start = (uintptr_t)base + p.p_vaddr, end = start + p.p_memsz;
      if (pass == 0 && p.p_type == PT_GNU_RELRO)
        protected_end = end & ~(page - 1);
      if (pass == 0 || p.p_type != PT_LOAD || !(p.p_flags & PF_W) || end <= protected_end)
        continue;
      start = start < protected_end ? protected_end : start;
      image->data = (char *)start, image->size = end - start;
    }
}

/* ---- Opening a copy ---------------------------------------------------- */

/* A name of the file that was never used before: the loader takes a name that it knows for the file
 * that it has mapped. Folders and "." in between do not change what it means. */
static void name_file(char *name, size_t size, int fd) {
  static unsigned count;
  unsigned number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  size_t at = (size_t)snprintf(name, size, "/proc/self/fd");
  for (; number; number /= 2)
    at += (size_t)snprintf(name + at, size - at, number & 1 ? "/." : "//");
  snprintf(name + at, size - at, "/%d", fd);
}

static int write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return 0;
    bytes += written, size -= (size_t)written;
  }
  return 1;
}

static void *map_copy(const struct memlift_mars_task *t) {
  char name[128];
  void *handle = NULL;
  int fd = memfd_create("memlift-mpu", MFD_CLOEXEC);
  if (fd < 0 || !write_all(fd, (const char *)t->elf, t->elf_size))
    memlift_mars_explain(0, "no memory for a copy of the image: %s", strerror(errno));
  else {
    name_file(name, sizeof name, fd);
    handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      memlift_mars_explain(0, "the image cannot be mapped: %s", dlerror());
  }
  if (fd >= 0)
    close(fd);
  return handle;
}

/* MARS_SUCCESS if it is a program that this library can run. */
static int check_program(const struct memlift_mpu_program *p) {
  if (!p || p->magic != MEMLIFT_MPU_MAGIC)
    return memlift_mars_explain(MARS_ERROR_FORMAT, "the image is a shared object, but none of "
                                                   "memlift-mpu-cc");
  if (p->version != MEMLIFT_MPU_VERSION || p->calls_size > sizeof memlift_mars_calls)
    return memlift_mars_explain(MARS_ERROR_FORMAT,
                                "the image is of another version of memlift-mpu-cc than "
                                "libmemlift_mars");
  return MARS_SUCCESS;
}

int memlift_mars_image_open(struct memlift_mars_task *t) {
  struct memlift_mars_image image = {0};
  struct link_map *map = NULL;
  image.handle = map_copy(t);
  if (!image.handle)
    return MARS_ERROR_FORMAT;
  image.program = (struct memlift_mpu_program *)dlsym(image.handle, "memlift_mpu_program");
  int error = check_program(image.program);
  if (error == MARS_SUCCESS && dlinfo(image.handle, RTLD_DI_LINKMAP, &map) != 0)
    error = MARS_ERROR_INTERNAL;
  if (error == MARS_SUCCESS) {
    image.program->calls = &memlift_mars_calls, image.program->task = t;
    find_data(&image, (const char *)t->elf, (char *)map->l_addr);
    image.fresh = (char *)malloc(image.size ? image.size : 1);
    error = image.fresh ? MARS_SUCCESS : MARS_ERROR_MEMORY;
  }
  if (error != MARS_SUCCESS) {
    dlclose(image.handle);
    return error;
  }
  t->image = image;
  memlift_mars_image_keep(&t->image);
  return MARS_SUCCESS;
}

void memlift_mars_image_close(struct memlift_mars_image *image) {
  if (image->handle)
    dlclose(image->handle);
  free(image->fresh);
  memset(image, 0, sizeof *image);
}

/* ---- Its data ---------------------------------------------------- */

/* Between two variables of a program there may be bytes that a sanitizer forbids. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
copy_data(char *to, const char *from, size_t size) {
  for (size_t i = 0; i < size; i++) {
    to[i] = from[i];
    if (i % 64 == 0)
      __asm__ volatile("" ::: "memory"); /* not a call of memcpy, which a sanitizer watches */
  }
}

void memlift_mars_image_keep(struct memlift_mars_image *image) {
  copy_data(image->fresh, image->data, image->size);
}

void memlift_mars_image_renew(struct memlift_mars_image *image) {
  copy_data(image->data, image->fresh, image->size);
}
