// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the lock of a PCI device while it is loaded, as a driver does that takes
 * long to bind:
 *
 *	insmod lock_device.ko bdf=0000:0d:00.0
 */
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *bdf;
module_param(bdf, charp, 0444);
MODULE_PARM_DESC(bdf, "The device: segment:bus:device.function");

static struct task_struct *holder;
static struct pci_dev *pdev;
static DECLARE_COMPLETION(locked);

/* A thread of its own, because a lock is released by the task that took it. */
static int hold(void *unused)
{
	device_lock(&pdev->dev);
	complete(&locked);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	device_unlock(&pdev->dev);
	return 0;
}

static int __init lock_device_init(void)
{
	unsigned int segment, bus, device, function;

	if (!bdf || sscanf(bdf, "%x:%x:%x.%x", &segment, &bus, &device, &function) != 4)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(segment, bus, PCI_DEVFN(device, function));
	if (!pdev)
		return -ENODEV;
	holder = kthread_run(hold, NULL, "lock_device");
	if (IS_ERR(holder)) {
		pci_dev_put(pdev);
		return PTR_ERR(holder);
	}
	wait_for_completion(&locked);
	return 0;
}

static void __exit lock_device_exit(void)
{
	kthread_stop(holder);
	pci_dev_put(pdev);
}

module_init(lock_device_init);
module_exit(lock_device_exit);

MODULE_DESCRIPTION("Holds the lock of a PCI device");
MODULE_LICENSE("GPL");
