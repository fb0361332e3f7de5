// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of firmware: one at a time, rate limited, and never again after one
 * that did not return.
 *
 * All calls take the lock of the EFI runtime services (variables, clock,
 * capsules). They are made by a kernel worker: a call whose caller gets a
 * signal while it waits for that lock ends in -EINTR, and a worker gets none,
 * so -EINTR means that firmware misbehaved. The program waits killably
 * outside. Linux 7.3 gives firmware 120 s, then switches EFI runtime services
 * off and returns -EINTR; 6.12 waits forever, and so does 7.3 when its timer is
 * on the CPU that firmware occupies.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/efi.h>
#include <linux/hrtimer.h>
#include <linux/kmemleak.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/prmt.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "cxl_prm.h"

/* A call that ends in -EINTR after longer than this was given up on. */
#define WEDGE_NS	((u64)NSEC_PER_SEC)
/*
 * A request that takes longer than this is given up on here, even if it ends
 * well later. It is more than the kernel's 120 s for one call and LAST_CALL_NS,
 * so that a kernel that gives up does so first.
 */
#define STUCK_NS	(150 * (u64)NSEC_PER_SEC)
/* A request that takes longer than this makes no further call. */
#define LAST_CALL_NS	(20 * (u64)NSEC_PER_SEC)
/* Calls for one address that may end in -EINTR at once. */
#define TRIES		3
#define RETRY_MS	100

/* Parameter buffer of the handler, CXL 9.18.4.1 table 9-32 */
struct handler_param {
	u64 dpa;
	u8 reserved;
	u8 devfn;
	u8 bus;
	u8 segment;
	u64 output;
} __packed;
static_assert(sizeof(struct handler_param) == 20);

/*
 * Memory that firmware reads and writes. It has a page of its own on the heap, because
 * firmware that was given up on may still write.
 */
struct handler_buffer {
	u64 spa;
	struct handler_param param;
};

/* Touched by the worker only. In ns of calls: one costs @interval. */
struct token_bucket {
	u64 interval;
	u64 full;
	u64 level;
	u64 last;
};

/**
 * struct cxl_prm_caller - state of the calls
 * @handler: what the PRMT says, fixed
 * @rate: module parameter
 * @burst: module parameter
 * @submit: held by the program whose request is processed, or is next
 * @queue: executes requests; there is never more than one
 * @idle: woken when @busy becomes false
 * @busy: a request is being worked on
 * @buffer: of all calls; NULL once it belongs to firmware
 * @bucket: for the rate limit of calls
 * @refusals: for that of refused entries
 * @begun: ktime when the request in progress was taken up, 0 when there is none
 * @started: ktime of the call in flight, 0 when there is none
 * @wedged: a call did not return
 * @not_in_kernel: the kernel does not know the handler
 * @calls: statistics, as in struct cxl_prm_info
 * @errors: statistics
 * @refused: statistics
 * @throttled: statistics
 */
struct cxl_prm_caller {
	enum cxl_prm_reason handler;
	unsigned int rate;
	unsigned int burst;
	struct mutex submit; /* held while waiting for @idle */
	struct workqueue_struct *queue;
	wait_queue_head_t idle;
	bool busy;
	struct handler_buffer *buffer;
	struct token_bucket bucket;
	struct token_bucket refusals;
	u64 begun;
	u64 started;
	bool wedged;
	bool not_in_kernel;
	atomic64_t calls;
	atomic64_t errors;
	atomic64_t refused;
	atomic64_t throttled;
};

static struct cxl_prm_caller caller = {
	.submit = __MUTEX_INITIALIZER(caller.submit),
	.idle = __WAIT_QUEUE_HEAD_INITIALIZER(caller.idle),
};

static const guid_t dpa_spa_guid = CXL_PRM_DPA_SPA_GUID;

static void bucket_init(struct token_bucket *bucket, unsigned int rate,
			unsigned int burst)
{
	/* Rounded up: a little slower than @rate, never faster. */
	bucket->interval = DIV_ROUND_UP(NSEC_PER_SEC, rate);
	bucket->full = bucket->interval * burst;
	bucket->level = bucket->full;
	bucket->last = ktime_get_ns();
}

static bool bucket_take(struct token_bucket *bucket)
{
	u64 now = ktime_get_ns();

	bucket->level = min(bucket->full, bucket->level + now - bucket->last);
	bucket->last = now;
	if (bucket->level < bucket->interval)
		return false;
	bucket->level -= bucket->interval;
	return true;
}

/* Return: the time since *@since, 0 when that is 0. */
static u64 elapsed_ns(const u64 *since)
{
	u64 started = READ_ONCE(*since);

	return started ? max(ktime_get_ns() - started, 1ULL) : 0;
}

/* All of a request counts: a bound on each step alone is no bound for a program. */
static bool is_stuck(void)
{
	return elapsed_ns(&caller.begun) > STUCK_NS;
}

static enum cxl_prm_reason present_reason(void)
{
	if (READ_ONCE(caller.wedged) || is_stuck())
		return CXL_PRM_WEDGED;
	if (caller.handler != CXL_PRM_READY)
		return caller.handler;
	if (READ_ONCE(caller.not_in_kernel))
		return CXL_PRM_NOT_IN_KERNEL;
	if (!efi_enabled(EFI_RUNTIME_SERVICES))
		return CXL_PRM_EFI_OFF;
	return CXL_PRM_READY;
}

static void complain(const struct cxl_prm_entry *entry, const char *what)
{
	pr_err("%04x:%02x:%02x.%u DPA %#llx: %s\n", entry->segment, entry->bus,
	       PCI_SLOT(entry->devfn), PCI_FUNC(entry->devfn), entry->dpa,
	       what);
}

static void wedge(const struct cxl_prm_entry *entry)
{
	complain(entry, "firmware did not return, no more calls until the module is reloaded");
	WRITE_ONCE(caller.wedged, true);
	/* Firmware may still write there: it is never used or freed again. */
	kmemleak_ignore(caller.buffer);
	caller.buffer = NULL;
}

/* One call of firmware. */
static int call_once(const struct cxl_prm_entry *entry, u64 *ret_spa)
{
	struct handler_buffer *buffer = caller.buffer;
	u64 started = ktime_get_ns();
	u64 taken, spa;
	int rc;

	*buffer = (struct handler_buffer) {
		.spa = CXL_PRM_NO_SPA,
		.param = {
			.dpa = entry->dpa,
			.devfn = entry->devfn,
			.bus = entry->bus,
			.segment = entry->segment,
			.output = (uintptr_t)&buffer->spa,
		},
	};

	atomic64_inc(&caller.calls);
	WRITE_ONCE(caller.started, started);
	rc = acpi_call_prm_handler(dpa_spa_guid, &buffer->param);
	taken = ktime_get_ns() - started;
	if (is_stuck() || (rc == -EINTR && taken > WEDGE_NS)) {
		wedge(entry);
		rc = -ETIMEDOUT;
	}
	WRITE_ONCE(caller.started, 0);
	if (rc)
		atomic64_inc(&caller.errors);

	/* Not from firmware: the kernel does not have the handler. */
	if (rc == -ENODEV || rc == -EOPNOTSUPP) {
		WRITE_ONCE(caller.not_in_kernel, true);
		return -EOPNOTSUPP;
	}
	if (rc)
		return rc;

	spa = READ_ONCE(buffer->spa);
	if (spa == CXL_PRM_NO_SPA)
		return -ENODATA;
	*ret_spa = spa;
	return 0;
}

/*
 * A quick -EINTR: either firmware returned EFI_ABORTED, or it caused a page
 * fault. In the latter case the kernel parks the only worker of EFI runtime
 * services, and returns to the caller a moment before it marks them as off. A call made
 * in that moment would never return, so wait.
 */
static int call_handler(const struct cxl_prm_entry *entry, u64 *ret_spa)
{
	int rc = -EAGAIN;
	int i;

	for (i = 0; i < TRIES; i++) {
		/* The token of the first is taken by translate(). */
		if (i && !bucket_take(&caller.bucket))
			return rc;
		rc = call_once(entry, ret_spa);
		if (rc != -EINTR)
			return rc;
		msleep(RETRY_MS);
		if (!efi_enabled(EFI_RUNTIME_SERVICES)) {
			complain(entry, "firmware faulted, EFI runtime services are off");
			return -EIO;
		}
	}
	return rc;
}

/*
 * A refused entry costs a token, too, because the check reads the device's
 * configuration space; but one of a bucket of its own, so that a program whose
 * entries are refused delays only itself.
 */
static int translate(const struct cxl_prm_entry *entry, u64 *ret_spa,
		     bool *ret_throttled)
{
	enum cxl_prm_reason reason = present_reason();
	int rc;

	if (reason == CXL_PRM_WEDGED)
		return -ESHUTDOWN;
	if (reason != CXL_PRM_READY)
		return -EOPNOTSUPP;
	rc = cxl_prm_check_entry(entry);
	/* The device is busy now, which says nothing against it. */
	if (rc == -EAGAIN)
		return rc;
	if (elapsed_ns(&caller.begun) > LAST_CALL_NS ||
	    !bucket_take(rc ? &caller.refusals : &caller.bucket)) {
		*ret_throttled = true;
		return -EAGAIN;
	}
	if (rc) {
		atomic64_inc(&caller.refused);
		return rc;
	}
	return call_handler(entry, ret_spa);
}

static void work_on_request(struct work_struct *work)
{
	struct cxl_prm_request *req =
		container_of(work, struct cxl_prm_request, work);
	bool throttled = false;
	u32 i;

	WRITE_ONCE(caller.begun, ktime_get_ns());
	for (i = 0; i < req->count && !READ_ONCE(req->abandoned); i++) {
		struct cxl_prm_entry *entry = &req->entries[i];

		entry->spa = CXL_PRM_NO_SPA;
		/* After one for which there was no token or time, none is tried. */
		entry->error = throttled ? -EAGAIN :
					   translate(entry, &entry->spa,
						     &throttled);
		if (entry->error == -EAGAIN)
			atomic64_inc(&caller.throttled);
		/* Pairs with the acquire in copy_results(). */
		smp_store_release(&req->done, i + 1);
	}
	cxl_prm_put_request(req);
	WRITE_ONCE(caller.begun, 0);

	/* Pairs with the acquire in wait_until_idle(). */
	smp_store_release(&caller.busy, false);
	wake_up_all(&caller.idle);
	/* If it was the last: unloading waits for this function to return. */
	module_put(THIS_MODULE);
}

/*
 * Waits until no request is being processed. With @submit held, no other can
 * start. It checks each second, by an hrtimer: firmware is called with bottom
 * halves off, so that ordinary timers of its CPU do not expire.
 */
static int wait_until_idle(void)
{
	DEFINE_WAIT(wait);
	ktime_t second;
	int rc;

	for (;;) {
		prepare_to_wait(&caller.idle, &wait, TASK_KILLABLE);
		rc = 0;
		/* Pairs with the release in work_on_request(). */
		if (!smp_load_acquire(&caller.busy))
			break;
		rc = -ETIMEDOUT;
		if (is_stuck())
			break;
		rc = -EINTR;
		if (fatal_signal_pending(current))
			break;
		second = ms_to_ktime(MSEC_PER_SEC);
		schedule_hrtimeout(&second, HRTIMER_MODE_REL);
	}
	finish_wait(&caller.idle, &wait);
	return rc;
}

/**
 * cxl_prm_run - process a request
 * @req: its entries belong to the worker until their number is in @req->done
 *
 * Waits for the requests of other programs first. At most one has no waiter,
 * that of a killed program, so requests do not accumulate.
 *
 * Return: 0 when all entries are done; -EINTR when the program was killed;
 * -ETIMEDOUT when firmware does not return: @req->submitted is set if it was
 * called for this request. Entries that are not done by then may be
 * written at any time.
 */
int cxl_prm_run(struct cxl_prm_request *req)
{
	int rc;

	if (mutex_lock_killable(&caller.submit))
		return -EINTR;

	rc = wait_until_idle();
	if (!rc) {
		req->submitted = true;
		/* The worker's, who can outlive the program and its file. */
		kref_get(&req->kref);
		__module_get(THIS_MODULE);
		WRITE_ONCE(caller.busy, true);
		INIT_WORK(&req->work, work_on_request);
		queue_work(caller.queue, &req->work);
		rc = wait_until_idle();
		if (rc)
			WRITE_ONCE(req->abandoned, true);
	}
	mutex_unlock(&caller.submit);
	return rc;
}

static const char *const reason_text[] = {
	[CXL_PRM_READY] = "ready",
	[CXL_PRM_NO_PRMT] = "firmware has no PRMT",
	[CXL_PRM_BAD_PRMT] = "the PRMT is malformed or lists the handler twice",
	[CXL_PRM_NO_HANDLER] = "the PRMT does not have the handler",
	[CXL_PRM_NULL_ADDRESS] = "the PRMT has no address for the handler",
	[CXL_PRM_BAD_ADDRESS] =
		"the handler or its data is not in EFI runtime memory",
	[CXL_PRM_NO_MEMMAP] = "there is no EFI memory map",
	[CXL_PRM_EFI_OFF] = "EFI runtime services are off",
	[CXL_PRM_NOT_IN_KERNEL] = "the kernel did not register the handler",
	[CXL_PRM_WEDGED] = "a call did not return from firmware",
};

/**
 * cxl_prm_get_state - fill in what CXL_PRM_INFO returns
 * @info: zeroed
 */
void cxl_prm_get_state(struct cxl_prm_info *info)
{
	u64 ms = DIV_ROUND_UP_ULL(elapsed_ns(&caller.started),
				  NSEC_PER_MSEC);

	info->abi_version = CXL_PRM_ABI_VERSION;
	info->reason = present_reason();
	if (caller.handler == CXL_PRM_READY)
		info->flags |= CXL_PRM_INFO_HANDLER;
	if (efi_enabled(EFI_RUNTIME_SERVICES))
		info->flags |= CXL_PRM_INFO_EFI_RUNTIME;
	if (info->reason == CXL_PRM_WEDGED)
		info->flags |= CXL_PRM_INFO_WEDGED;
	info->rate = caller.rate;
	info->burst = caller.burst;
	info->max_batch = CXL_PRM_BATCH_MAX;
	info->in_flight_ms = min(ms, U32_MAX);
	info->calls = atomic64_read(&caller.calls);
	info->errors = atomic64_read(&caller.errors);
	info->refused = atomic64_read(&caller.refused);
	info->throttled = atomic64_read(&caller.throttled);
	strscpy(info->text, reason_text[info->reason], sizeof(info->text));
}

/**
 * cxl_prm_call_init - get ready for calls
 * @rate: calls per second, not 0
 * @burst: calls at once, not 0
 * @handler: whether calls can be made at all
 *
 * Return: 0 or -ENOMEM.
 */
int cxl_prm_call_init(unsigned int rate, unsigned int burst,
		      enum cxl_prm_reason handler)
{
	caller.handler = handler;
	caller.rate = rate;
	caller.burst = burst;
	bucket_init(&caller.bucket, rate, burst);
	bucket_init(&caller.refusals, rate, burst);

	caller.buffer = kzalloc(PAGE_SIZE, GFP_KERNEL);
	if (!caller.buffer)
		return -ENOMEM;
	/* In sysfs, so that it can be kept off the CPUs of efi_runtime. */
	caller.queue = alloc_workqueue("cxl_prm", WQ_UNBOUND | WQ_SYSFS, 1);
	if (!caller.queue) {
		kfree(caller.buffer);
		return -ENOMEM;
	}
	return 0;
}

/**
 * cxl_prm_call_exit - undo cxl_prm_call_init()
 *
 * The worker holds the module, so it is at most about to return.
 */
void cxl_prm_call_exit(void)
{
	destroy_workqueue(caller.queue);
	kfree(caller.buffer);
}
