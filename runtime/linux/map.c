/* map.c - a process has its own pages in its address space, and no others
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 * All of a mapping is entered in the page table by mmap: the first message takes no page fault, and
 * an access after DETACH is a SIGBUS, since there is no fault handler. The kernel itself refuses
 * every other way into such a mapping (VM_IO, VM_PFNMAP): the memory of another process (ptrace,
 * process_vm_writev), growth by mremap, MADV_DOFORK, and direct I/O.
 */
#include "ni.h"

#include <linux/version.h>

/* The address space ends, by exit, exec or death: the page table is empty, and pages come back now,
 * even if a child still has the file. Otherwise a part was unmapped, and stays attached. */
static void closed(struct vm_area_struct *vma) {
  if (!atomic_read(&vma->vm_mm->mm_users))
    ni_release_pages(vma->vm_file->private_data, vma->vm_mm);
}

static const struct vm_operations_struct operations = {.close = closed};

/* Sets the flags that io_remap_pfn_range does not. */
static void set_flags(struct vm_area_struct *vma) {
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
  vm_flags_mod(vma, VM_DONTCOPY, VM_MAYEXEC);
#else
  vma->vm_flags = (vma->vm_flags | VM_DONTCOPY) & ~VM_MAYEXEC;
#endif
}

static pgprot_t protection(const struct ni_device *ni, pgprot_t of_memory) {
  if (ni->window == NI_WINDOW_DEVICE)
    return pgprot_noncached(of_memory);
  return ni->window == NI_WINDOW_COMBINING ? pgprot_writecombine(of_memory) : of_memory;
}

static int map(struct ni_file *file, struct vm_area_struct *vma, unsigned long first) {
  const struct ni_device *ni = file->ni;
  phys_addr_t from = ni->physical + (vma->vm_pgoff << PAGE_SHIFT);

  if (!ni_is_owner(file, vma->vm_mm))
    return -EPERM;
  if (!ni_has_pages(file, first, vma_pages(vma)))
    return -EACCES;
  set_flags(vma);
  vma->vm_ops = &operations;
  vma->vm_page_prot = protection(ni, vma->vm_page_prot);
  return io_remap_pfn_range(vma, vma->vm_start, from >> PAGE_SHIFT, vma->vm_end - vma->vm_start,
                            vma->vm_page_prot);
}

int ni_mmap(struct file *of, struct vm_area_struct *vma) {
  struct ni_file *file = of->private_data;
  const struct ni_backend *end =
      vma->vm_pgoff < ni_mailbox.pages >> PAGE_SHIFT ? &ni_packetizer : &ni_mailbox;
  unsigned long first = vma->vm_pgoff - (end->pages >> PAGE_SHIFT);
  int status;

  if (!(vma->vm_flags & VM_SHARED) || first > MEMLIFT_NI_PAGES ||
      vma_pages(vma) > MEMLIFT_NI_PAGES - first)
    return -EINVAL;
  if (vma->vm_flags & VM_EXEC)
    return -EACCES;
  mutex_lock(&file->ni->lock);
  status = map(file, vma, first);
  mutex_unlock(&file->ni->lock);
  return status;
}

/* No process but the owner has ever had the page mapped from this file. */
void ni_unmap(struct ni_file *file, unsigned int page) {
  size_t at = (size_t)page * MEMLIFT_NI_PAGE_BYTES;

  unmap_mapping_range(file->mapping, ni_packetizer.pages + at, MEMLIFT_NI_PAGE_BYTES, 1);
  unmap_mapping_range(file->mapping, ni_mailbox.pages + at, MEMLIFT_NI_PAGE_BYTES, 1);
}
