/* front.c - the driver of a network interface: the device file, and devices of the device tree
 *
 * SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
 *
 * Packetizer and mailbox are one device to programs. A node of the device tree describes it:
 *
 *   compatible      "memlift,ni"
 *   reg             MEMLIFT_NI_CONTROL_EXTENT bytes: pages, then what the driver alone writes
 *   interrupts      optional: a packet has arrived in a mailbox; without it poll looks once a tick
 *   memlift,window  optional: "device" (the default), "combining" where stores may be combined,
 *                   "memory" where software plays the device in reserved memory
 */
#include "ni.h"

#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

/* ---- The device file ----------------------------------------------------------------------- */

static int ni_open(struct inode *inode, struct file *of) {
  struct ni_device *ni = container_of(of->private_data, struct ni_device, misc);
  struct ni_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

  if (!file)
    return -ENOMEM;
  file->ni = ni;
  file->mapping = of->f_mapping;
  mutex_lock(&ni->lock);
  list_add_tail(&file->node, &ni->files);
  mutex_unlock(&ni->lock);
  of->private_data = file;
  return stream_open(inode, of);
}

static int ni_release(struct inode *inode, struct file *of) {
  struct ni_file *file = of->private_data;

  ni_release_pages(file, NULL);
  mutex_lock(&file->ni->lock);
  list_del(&file->node);
  mutex_unlock(&file->ni->lock);
  kfree(file);
  return 0;
}

static long get_protection_id(struct ni_file *file, u32 *id) {
  long status = 0;

  mutex_lock(&file->ni->lock);
  if (!ni_is_owner(file, current->mm))
    status = -EPERM;
  else if (!file->pages)
    status = -ENXIO;
  *id = file->protection_id;
  mutex_unlock(&file->ni->lock);
  return status;
}

/* Gives the pages back if the answer cannot be stored: the program would not know which it has. */
static long ioctl_attach(struct ni_file *file, void __user *at) {
  struct memlift_ni_ioctl_attach wanted;
  struct memlift_ni_ioctl_detach back;
  long status;

  if (copy_from_user(&wanted, at, sizeof(wanted)))
    return -EFAULT;
  status = ni_attach(file, &wanted);
  if (status || !copy_to_user(at, &wanted, sizeof(wanted)))
    return status;
  back.pages = wanted.pages;
  back.first = wanted.first;
  ni_detach(file, &back);
  return -EFAULT;
}

static long ioctl_detach(struct ni_file *file, const void __user *at) {
  struct memlift_ni_ioctl_detach range;

  return copy_from_user(&range, at, sizeof(range)) ? -EFAULT : ni_detach(file, &range);
}

static long ioctl_get_protection_id(struct ni_file *file, u32 __user *at) {
  u32 id;
  long status = get_protection_id(file, &id);

  return status ? status : put_user(id, at);
}

static long ioctl_get_incarnation(struct ni_file *file, void __user *at) {
  struct memlift_ni_ioctl_incarnation of;
  long status;

  if (copy_from_user(&of, at, sizeof(of)))
    return -EFAULT;
  status = ni_get_incarnation(file, &of);
  return status || !copy_to_user(at, &of, sizeof(of)) ? status : -EFAULT;
}

static long ni_ioctl(struct file *of, unsigned int request, unsigned long argument) {
  struct ni_file *file = of->private_data;
  void __user *at = (void __user *)argument;

  switch (request) {
  case MEMLIFT_NI_IOCTL_ATTACH: return ioctl_attach(file, at);
  case MEMLIFT_NI_IOCTL_DETACH: return ioctl_detach(file, at);
  case MEMLIFT_NI_IOCTL_GET_PROTECTION_ID: return ioctl_get_protection_id(file, at);
  case MEMLIFT_NI_IOCTL_GET_INCARNATION: return ioctl_get_incarnation(file, at);
  default: return -ENOTTY;
  }
}

/* Waits first and looks then: a message that comes in between wakes. */
static __poll_t ni_poll(struct file *of, struct poll_table_struct *table) {
  struct ni_file *file = of->private_data;
  struct ni_device *ni = file->ni;
  __poll_t events = 0;
  unsigned int page;

  poll_wait(of, &ni->waiters, table);
  mutex_lock(&ni->lock);
  if (!file->pages || !ni_is_owner(file, current->mm))
    events = EPOLLERR;
  for (page = 0; page < MEMLIFT_NI_PAGES && !events; page++)
    if (ni->owner[page] == file && ni_mailbox_has_message(ni, page))
      events = EPOLLIN | EPOLLRDNORM;
  mutex_unlock(&ni->lock);
  if (!ni->irq && !events)
    schedule_delayed_work(&ni->look, 1);
  return events;
}

static const struct file_operations operations = {
    .owner = THIS_MODULE,
    .open = ni_open,
    .release = ni_release,
    .unlocked_ioctl = ni_ioctl,
    .compat_ioctl = compat_ptr_ioctl,
    .mmap = ni_mmap,
    .poll = ni_poll,
};

/* ---- Waking who polls ---------------------------------------------------------------------- */

static irqreturn_t arrived(int irq, void *data) {
  struct ni_device *ni = data;

  wake_up_interruptible(&ni->waiters);
  return IRQ_HANDLED;
}

/* Wakes all; a process that finds nothing has it scheduled again. */
static void look(struct work_struct *work) {
  struct ni_device *ni = container_of(to_delayed_work(work), struct ni_device, look);

  wake_up_interruptible(&ni->waiters);
}

/* ---- Devices ------------------------------------------------------------------------------- */

static DEFINE_IDA(numbers);

/* The kind of ni_page.h, or an error. */
static int find_window(struct device *dev) {
  static const char *const names[] = {
      [NI_WINDOW_DEVICE] = "device",
      [NI_WINDOW_COMBINING] = "combining",
      [NI_WINDOW_MEMORY] = "memory",
  };
  const char *name;

  if (device_property_read_string(dev, "memlift,window", &name))
    return NI_WINDOW_DEVICE;
  return match_string(names, ARRAY_SIZE(names), name);
}

static int find_registers(struct ni_device *ni, struct platform_device *device) {
  struct resource *range;

  ni->base = devm_platform_get_and_ioremap_resource(device, 0, &range);
  if (IS_ERR(ni->base))
    return PTR_ERR(ni->base);
  if (resource_size(range) < MEMLIFT_NI_CONTROL_EXTENT || !PAGE_ALIGNED(range->start))
    return dev_err_probe(ni->dev, -EINVAL, "reg: %u bytes from a whole page on are needed\n",
                         (unsigned int)MEMLIFT_NI_CONTROL_EXTENT);
  ni->physical = range->start;
  return 0;
}

static int find_interrupt(struct ni_device *ni, struct platform_device *device) {
  int irq = platform_get_irq_optional(device, 0);

  if (irq == -ENXIO)
    return 0;
  if (irq < 0)
    return irq;
  ni->irq = irq;
  return devm_request_irq(ni->dev, irq, arrived, 0, "memlift-ni", ni);
}

/* A page of this kernel that were larger than one of the device would have those of several
 * processes. */
static int find_all(struct ni_device *ni, struct platform_device *device) {
  int window = find_window(ni->dev);
  int status;

  if (PAGE_SIZE != MEMLIFT_NI_PAGE_BYTES)
    return dev_err_probe(ni->dev, -EINVAL, "the kernel has pages of %lu bytes\n", PAGE_SIZE);
  if (window < 0)
    return dev_err_probe(ni->dev, window, "memlift,window: device, combining or memory\n");
  ni->window = window;
  status = find_registers(ni, device);
  return status ? status : find_interrupt(ni, device);
}

/* No file is open: each one holds the module, and nothing but its end unbinds a device. */
static void unregister(void *data) {
  struct ni_device *ni = data;

  misc_deregister(&ni->misc);
  cancel_delayed_work_sync(&ni->look);
  ida_free(&numbers, ni->number);
}

/* The first device is memlift-ni, the next memlift-ni1. */
static int register_file(struct ni_device *ni) {
  int number = ida_alloc(&numbers, GFP_KERNEL);
  int status;

  if (number < 0)
    return number;
  ni->number = number;
  ni->misc.name =
      number ? devm_kasprintf(ni->dev, GFP_KERNEL, "memlift-ni%d", number) : "memlift-ni";
  ni->misc.minor = MISC_DYNAMIC_MINOR;
  ni->misc.fops = &operations;
  ni->misc.parent = ni->dev;
  status = ni->misc.name ? misc_register(&ni->misc) : -ENOMEM;
  if (status) {
    ida_free(&numbers, number);
    return status;
  }
  return devm_add_action_or_reset(ni->dev, unregister, ni);
}

/* Begins with numbers that no earlier load of the module has given lately: mailboxes of other
 * machines may still know the last owners. */
static void begin_incarnations(struct ni_device *ni) {
  unsigned int page;

  for (page = 0; page < MEMLIFT_NI_PAGES; page++)
    ni->incarnation[page] = (u32)ktime_get_real_seconds();
}

static int ni_probe(struct platform_device *device) {
  struct ni_device *ni = devm_kzalloc(&device->dev, sizeof(*ni), GFP_KERNEL);
  int status;

  if (!ni)
    return -ENOMEM;
  ni->dev = &device->dev;
  mutex_init(&ni->lock);
  begin_incarnations(ni);
  INIT_LIST_HEAD(&ni->files);
  init_waitqueue_head(&ni->waiters);
  INIT_DELAYED_WORK(&ni->look, look);
  status = find_all(ni, device);
  if (!status)
    status = register_file(ni);
  if (!status)
    dev_info(ni->dev, "/dev/%s: %d pages, %s interrupt\n", ni->misc.name, MEMLIFT_NI_PAGES,
             ni->irq ? "with an" : "without an");
  return status;
}

static const struct of_device_id matches[] = {{.compatible = "memlift,ni"}, {}};
MODULE_DEVICE_TABLE(of, matches);

static struct platform_driver ni_driver = {
    .probe = ni_probe,
    .driver = {.name = "memlift-ni", .of_match_table = matches, .suppress_bind_attrs = true},
};
module_platform_driver(ni_driver);

MODULE_DESCRIPTION("Network interface of packetizer and mailbox pages");
MODULE_AUTHOR("The memlift developers");
/* The kernel has no name for GPL-2.0 OR Apache-2.0; of the two licences this is the one that it is
 * loaded under. */
MODULE_LICENSE("GPL");
