// interrupt.c - kernel module: the interrupt line of the device that device.c plays
// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 WITH LLVM-exception
//
// A byte written to /dev/memlift-ni-line raises the interrupt, which the driver gets like that of
// any device: the device tree says that this is its controller.
#include <linux/fs.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqdomain.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

static struct irq_domain *domain;

static int map_line(struct irq_domain *of, unsigned int virq, irq_hw_number_t line) {
  irq_set_chip_and_handler(virq, &dummy_irq_chip, handle_simple_irq);
  return 0;
}

static const struct irq_domain_ops lines = {.map = map_line, .xlate = irq_domain_xlate_onecell};

static ssize_t raise(struct file *file, const char __user *from, size_t size, loff_t *at) {
  generic_handle_domain_irq_safe(domain, 0);
  return size;
}

static const struct file_operations operations = {.owner = THIS_MODULE, .write = raise};
static struct miscdevice device = {
    .minor = MISC_DYNAMIC_MINOR, .name = "memlift-ni-line", .fops = &operations};

// Before the device file, since who opens it raises the interrupt.
static int probe(struct platform_device *of) {
  domain = irq_domain_add_linear(of->dev.of_node, 1, &lines, NULL);
  return domain ? misc_register(&device) : -ENOMEM;
}

static const struct of_device_id matches[] = {{.compatible = "memlift,test-line"}, {}};
static struct platform_driver driver = {
    .probe = probe,
    .driver = {.name = "memlift-ni-line", .of_match_table = matches, .suppress_bind_attrs = true}};

// Never unloaded: it has no exit function.
static int __init start(void) { return platform_driver_register(&driver); }
module_init(start);
MODULE_DESCRIPTION("Interrupt line of a network interface in software");
MODULE_LICENSE("GPL");
