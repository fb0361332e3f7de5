// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/cxl_prm: asks platform firmware for the system physical address of a
 * CXL device physical address. See cxl_prm_uapi.h for the interface, prmt.c
 * and device.c for the checks, and call.c for the calls of firmware.
 *
 * The file mode decides who may open the device: capabilities are not checked,
 * so that a service needs none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "cxl_prm.h"

#define RATE_MAX	1000000
#define BURST_MAX	1000000

static unsigned int rate = 1000;
module_param(rate, uint, 0444);
MODULE_PARM_DESC(rate, "Calls of firmware per second (1 to 1000000)");

static unsigned int burst = CXL_PRM_BATCH_MAX;
module_param(burst, uint, 0444);
MODULE_PARM_DESC(burst, "Calls of firmware at once after a pause (1 to 1000000)");

/* The layout is the same everywhere, compat_ptr_ioctl() relies on it. */
static_assert(sizeof(struct cxl_prm_info) == 160);
static_assert(sizeof(struct cxl_prm_entry) == 32);
static_assert(sizeof(struct cxl_prm_translate) == 16);

static void free_request(struct kref *kref)
{
	kfree(container_of(kref, struct cxl_prm_request, kref));
}

void cxl_prm_put_request(struct cxl_prm_request *req)
{
	if (!IS_ERR_OR_NULL(req))
		kref_put(&req->kref, free_request);
}

DEFINE_FREE(put_request, struct cxl_prm_request *, cxl_prm_put_request(_T))

static struct cxl_prm_request *
copy_request(const struct cxl_prm_entry __user *entries, u32 count)
{
	u32 i;

	struct cxl_prm_request *req __free(kfree) =
		kzalloc(struct_size(req, entries, count), GFP_KERNEL_ACCOUNT);
	if (!req)
		return ERR_PTR(-ENOMEM);
	kref_init(&req->kref);
	req->count = count;
	if (copy_from_user(req->entries, entries,
			   flex_array_size(req, entries, count)))
		return ERR_PTR(-EFAULT);
	for (i = 0; i < count; i++) {
		if (req->entries[i].reserved || req->entries[i].reserved2)
			return ERR_PTR(-EINVAL);
	}
	return_ptr(req);
}

/*
 * Entries that are not done when firmware does not return: the worker is
 * processing the first of them, if it has the request at all, and will skip the
 * rest.
 */
static int copy_results(const struct cxl_prm_request *req,
			struct cxl_prm_entry __user *entries)
{
	/* Pairs with the release in work_on_request(). */
	u32 done = smp_load_acquire(&req->done);
	s32 error;
	u64 spa;
	u32 i;

	for (i = 0; i < req->count; i++) {
		if (i < done) {
			spa = req->entries[i].spa;
			error = req->entries[i].error;
		} else {
			spa = CXL_PRM_NO_SPA;
			error = i == done && req->submitted ? -ETIMEDOUT :
							      -ESHUTDOWN;
		}
		if (put_user(spa, &entries[i].spa) ||
		    put_user(error, &entries[i].error))
			return -EFAULT;
	}
	return 0;
}

static int ioctl_translate(const struct cxl_prm_translate __user *arg)
{
	struct cxl_prm_entry __user *entries;
	struct cxl_prm_translate head;
	int rc;

	if (copy_from_user(&head, arg, sizeof(head)))
		return -EFAULT;
	if (!head.count || head.count > CXL_PRM_BATCH_MAX || head.flags)
		return -EINVAL;
	entries = u64_to_user_ptr(head.entries);

	struct cxl_prm_request *req __free(put_request) =
		copy_request(entries, head.count);
	if (IS_ERR(req))
		return PTR_ERR(req);

	rc = cxl_prm_run(req);
	if (rc == -EINTR)
		return rc;
	return copy_results(req, entries);
}

static int ioctl_info(struct cxl_prm_info __user *arg)
{
	struct cxl_prm_info info = {};

	cxl_prm_get_state(&info);
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long cxl_prm_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case CXL_PRM_INFO:
		return ioctl_info(uarg);
	case CXL_PRM_TRANSLATE:
		return ioctl_translate(uarg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations cxl_prm_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.unlocked_ioctl = cxl_prm_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice cxl_prm_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "cxl_prm",
	.nodename = "cxl_prm",
	.mode = 0660,
	.fops = &cxl_prm_fops,
};

static int __init cxl_prm_init(void)
{
	struct cxl_prm_info info = {};
	int rc;

	if (!rate || rate > RATE_MAX || !burst || burst > BURST_MAX) {
		pr_err("rate and burst are 1 to %u\n", RATE_MAX);
		return -EINVAL;
	}
	/* It loads without a handler, too, to report why there is none. */
	rc = cxl_prm_call_init(rate, burst, cxl_prm_find_handler());
	if (rc)
		return rc;
	cxl_prm_get_state(&info);
	rc = misc_register(&cxl_prm_device);
	if (rc) {
		cxl_prm_call_exit();
		return rc;
	}
	pr_info("%s\n", info.text);
	return 0;
}

static void __exit cxl_prm_exit(void)
{
	misc_deregister(&cxl_prm_device);
	cxl_prm_call_exit();
}

module_init(cxl_prm_init);
module_exit(cxl_prm_exit);

/*
 * Where the module is installed, udev loads it on hosts with a CXL root, as it
 * loads cxl_acpi. There is no ACPI driver here: the alias is all that is needed.
 */
MODULE_ALIAS("acpi*:ACPI0017:*");
MODULE_DESCRIPTION("CXL device to system physical address translation by ACPI PRM");
MODULE_LICENSE("GPL");
