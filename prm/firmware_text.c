// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The texts of states, errors and answers.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "prm/firmware_private.h"

#define DEVICE "the kernel module cxl_prm"
#define VENDOR "ask the machine's vendor for firmware with a working PRM handler"

static const struct {
	const char *name, *text, *advice;
} states[FIRMWARE_STATES] = {
	[FIRMWARE_READY] = {"ready", "firmware's PRM handler answers through " FIRMWARE_DEVICE,
			    NULL},
	[FIRMWARE_NO_DEVICE] = {"not-loaded",
				DEVICE " is not loaded (" FIRMWARE_DEVICE " does not exist)",
				"build, sign and load " DEVICE
				", as described in prm/kmod/README.md"},
	[FIRMWARE_NO_PERMISSION] =
		{"no-permission", "this user has no permission to open " FIRMWARE_DEVICE,
		 "run this as root or as a member of the group of " FIRMWARE_DEVICE},
	[FIRMWARE_UNLOADED] = {"unloaded", DEVICE " was unloaded while in use",
			       "load " DEVICE " again"},
	[FIRMWARE_NEWER] = {"newer", DEVICE " has a newer interface than this program knows",
			    "update this program"},
	[FIRMWARE_BROKEN] = {"broken",
			     FIRMWARE_DEVICE " does not behave like the device of " DEVICE,
			     "check the kernel log for cxl_prm"},
	[FIRMWARE_NO_PRMT] = {"no-prmt",
			      "firmware has no ACPI table PRMT, and therefore no PRM handler",
			      VENDOR},
	[FIRMWARE_BAD_PRMT] = {"bad-prmt",
			       "the ACPI table PRMT is malformed, or lists the PRM handler twice",
			       VENDOR},
	[FIRMWARE_NO_HANDLER] = {"no-handler",
				 "firmware has no PRM handler that translates DPA to SPA", VENDOR},
	[FIRMWARE_NULL_ADDRESS] =
		{"null-address", "the ACPI table PRMT gives 0x0 as the address of the PRM handler",
		 VENDOR},
	[FIRMWARE_BAD_ADDRESS] = {"bad-address",
				  "firmware's PRM handler is not in EFI runtime memory", VENDOR},
	[FIRMWARE_NO_MEMMAP] = {"no-memory-map",
				"the kernel has no EFI memory map to check the PRM handler against",
				"boot through EFI; a guest needs EFI firmware"},
	[FIRMWARE_EFI_OFF] =
		{"efi-off",
		 "EFI runtime services are switched off until the next boot, and the PRM handler with them",
		 "check the kernel log for a fault of firmware and the kernel command line for efi=noruntime, then reboot"},
	[FIRMWARE_NOT_IN_KERNEL] =
		{"not-in-kernel",
		 "the kernel did not register the PRM handler of the ACPI table PRMT",
		 "check the kernel log for \"PRM:\""},
	[FIRMWARE_WEDGED] =
		{"wedged",
		 "wedged: a call of firmware's PRM handler did not return, and no further call is made",
		 "reboot, and " VENDOR},
	[FIRMWARE_NOT_READY] = {"not-ready", DEVICE " is not ready",
				"check the kernel log for cxl_prm"},
	[FIRMWARE_SLOW] = {"slow", "firmware's PRM handler is slow", VENDOR},
	[FIRMWARE_STOPPED] = {"stopped", "this program is shutting down", NULL},
};

/* The module's own errors, then firmware's: see cxl_prm_uapi.h. */
static const struct {
	int error;
	const char *text;
} errors[] = {
	{EOPNOTSUPP, "the cxl_prm module could not translate at that moment"},
	{ESHUTDOWN, "not queried: an earlier call of the PRM handler did not return"},
	{ETIMEDOUT, "the call of the PRM handler did not return"},
	{EOVERFLOW, "firmware cannot be queried about PCI segments above 255"},
	{ENODEV, "the cxl_prm module finds no CXL memory device at its PCI address"},
	{ENXIO,
	 "the device is not bound to cxl_pci, or its size is unreadable, so firmware is not queried"},
	{ERANGE, "the DPA is beyond the device's memory, so firmware is not queried"},
	{ENODATA, "the PRM handler reported success without an address"},
	{EINVAL, "the PRM handler rejected the DPA (EFI_INVALID_PARAMETER)"},
	{ENOENT, "the PRM handler does not know the device (EFI_NOT_FOUND)"},
	{EIO, "the PRM handler failed for this address (EFI_DEVICE_ERROR)"},
	{ENOSPC, "the PRM handler was out of resources (EFI_OUT_OF_RESOURCES)"},
	{EROFS, "the PRM handler failed (EFI_WRITE_PROTECTED)"},
	{EACCES, "the PRM handler rejected the query (EFI_SECURITY_VIOLATION)"},
	{EINTR, "the PRM handler aborted the query (EFI_ABORTED)"},
};

const char *firmware_state_name(enum firmware_state state)
{
	return states[state].name;
}

const char *firmware_state_advice(enum firmware_state state)
{
	return states[state].advice;
}

static void error_text(int error, char text[FIRMWARE_TEXT_MAX])
{
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		if (errors[i].error != -error)
			continue;
		(void)snprintf(text, FIRMWARE_TEXT_MAX, "%s", errors[i].text);
		return;
	}
	(void)snprintf(text, FIRMWARE_TEXT_MAX, "the PRM handler failed with error %d", error);
}

static void conflict_text(const struct firmware_answer *a, char text[FIRMWARE_TEXT_MAX])
{
	const struct firmware_query *t = &a->conflict;

	(void)snprintf(
		text, FIRMWARE_TEXT_MAX,
		"firmware's SPA 0x%llx for DPA 0x%llx is rejected: firmware gave the same SPA for DPA 0x%llx of %04x:%02x:%02x.%x",
		(unsigned long long)a->spa, (unsigned long long)a->queried_dpa,
		(unsigned long long)(t->dpa + a->queried_dpa % FIRMWARE_CHUNK), t->segment, t->bus,
		t->devfn >> 3, t->devfn & 7);
}

void firmware_answer_text(const struct firmware_answer *a, char text[FIRMWARE_TEXT_MAX])
{
	text[0] = '\0';
	switch (a->result) {
	case FIRMWARE_TRANSLATED:
		break;
	case FIRMWARE_NOT_QUERIED:
		(void)snprintf(text, FIRMWARE_TEXT_MAX, "firmware has not been queried yet");
		break;
	case FIRMWARE_UNAVAILABLE:
		(void)snprintf(text, FIRMWARE_TEXT_MAX, "%s", states[a->state].text);
		break;
	case FIRMWARE_RATE_LIMITED:
		(void)snprintf(text, FIRMWARE_TEXT_MAX,
			       "rate limited: firmware may not be queried more often at present");
		break;
	case FIRMWARE_TOO_SLOW:
		(void)snprintf(text, FIRMWARE_TEXT_MAX,
			       "slow: firmware's PRM handler did not answer in time");
		break;
	case FIRMWARE_ERROR:
		error_text(a->error, text);
		break;
	case FIRMWARE_LOW_BITS:
		(void)snprintf(
			text, FIRMWARE_TEXT_MAX,
			"firmware's SPA 0x%llx for DPA 0x%llx is rejected: the low 8 bits of DPA and SPA differ",
			(unsigned long long)a->spa, (unsigned long long)a->queried_dpa);
		break;
	case FIRMWARE_SHARED:
		conflict_text(a, text);
		break;
	}
}

enum answer_reason firmware_answer_reason(const struct firmware_answer *a)
{
	static const enum answer_reason reasons[] = {
		[FIRMWARE_TRANSLATED] = REASON_NONE,
		[FIRMWARE_NOT_QUERIED] = REASON_FIRMWARE_NOT_QUERIED,
		[FIRMWARE_UNAVAILABLE] = REASON_FIRMWARE_UNAVAILABLE,
		[FIRMWARE_RATE_LIMITED] = REASON_RATE_LIMITED,
		[FIRMWARE_TOO_SLOW] = REASON_FIRMWARE_TIMEOUT,
		[FIRMWARE_ERROR] = REASON_FIRMWARE_ERROR,
		[FIRMWARE_LOW_BITS] = REASON_SPA_LOW_BITS,
		[FIRMWARE_SHARED] = REASON_SPA_SHARED,
	};

	return reasons[a->result];
}

/* The first one is kept, so that the text of the status is stable. */
static void keep_rejected(struct firmware *f, enum answer_reason reason, const char *text)
{
	if (f->rejected_reason != REASON_NONE)
		return;
	f->rejected_reason = reason;
	(void)snprintf(f->rejected, sizeof(f->rejected), "%s", text);
}

static struct firmware_failure *failing_device(struct firmware *f, const struct firmware_query *q)
{
	for (size_t i = 0; i < f->n_failing; i++) {
		const struct firmware_query *known = &f->failing[i].query;

		if (known->segment == q->segment && known->bus == q->bus &&
		    known->devfn == q->devfn)
			return &f->failing[i];
	}
	return NULL;
}

/* A DPA beyond the device is the caller's error, not firmware's. */
static void keep_failing(struct firmware *f, const struct firmware_query *q, int error)
{
	struct firmware_failure *device = failing_device(f, q);

	if (error == -ERANGE)
		return;
	if (!device && f->n_failing < FIRMWARE_FAILING_MAX)
		device = &f->failing[f->n_failing++];
	if (device)
		*device = (struct firmware_failure){.query = *q, .error = error};
}

static void forget_failing(struct firmware *f, const struct firmware_query *q)
{
	struct firmware_failure *device = failing_device(f, q);

	if (!device || FIRMWARE_CHUNK_OF(device->query.dpa) != FIRMWARE_CHUNK_OF(q->dpa))
		return;
	*device = f->failing[--f->n_failing];
}

void firmware_note_answer(struct firmware *f, const struct firmware_query *q,
			  const struct firmware_answer *a)
{
	char text[FIRMWARE_TEXT_MAX];

	if (a->result == FIRMWARE_ERROR)
		keep_failing(f, q, a->error);
	else if (a->result == FIRMWARE_TRANSLATED && f->n_failing)
		forget_failing(f, q);
	if (a->result != FIRMWARE_LOW_BITS && a->result != FIRMWARE_SHARED)
		return;
	firmware_answer_text(a, text);
	keep_rejected(f, firmware_answer_reason(a), text);
}

static void failing_text(const struct firmware_failure *device, char text[FIRMWARE_TEXT_MAX])
{
	char why[FIRMWARE_TEXT_MAX];

	error_text(device->error, why);
	(void)snprintf(text, FIRMWARE_TEXT_MAX, "DPA 0x%llx: %.*s",
		       (unsigned long long)device->query.dpa, FIRMWARE_TEXT_MAX - 32, why);
}

bool firmware_failure(struct firmware *f, const struct firmware_query *q,
		      char text[FIRMWARE_TEXT_MAX])
{
	const struct firmware_failure *device;

	pthread_mutex_lock(&f->lock);
	device = failing_device(f, q);
	if (device)
		failing_text(device, text);
	pthread_mutex_unlock(&f->lock);
	return device != NULL;
}

void firmware_note_rejected(struct firmware *f, enum answer_reason reason, const char *text)
{
	pthread_mutex_lock(&f->lock);
	keep_rejected(f, reason, text);
	pthread_mutex_unlock(&f->lock);
}

/* The text of the state with its variable part. */
static void status_text(const struct firmware *f, struct firmware_status *ret)
{
	const char *text = states[ret->state].text;

	if (ret->state == FIRMWARE_SLOW && ret->in_flight_ms)
		(void)snprintf(ret->text, sizeof(ret->text),
			       "%s: a call has been in progress for %u ms", text,
			       ret->in_flight_ms);
	else if (ret->state == FIRMWARE_SLOW)
		(void)snprintf(ret->text, sizeof(ret->text), "%s: it takes %u ms for one address",
			       text, f->call_ms);
	else if (ret->state == FIRMWARE_NOT_READY && str_is_plain(f->info.text))
		(void)snprintf(ret->text, sizeof(ret->text), "%s: %s", text, f->info.text);
	else if (ret->state == FIRMWARE_NEWER)
		(void)snprintf(ret->text, sizeof(ret->text), "%s (%u instead of %u)", text,
			       f->info.abi_version, (unsigned int)CXL_PRM_ABI_VERSION);
	else if (ret->state == FIRMWARE_BROKEN && f->open_error)
		(void)snprintf(ret->text, sizeof(ret->text), "%s: %s", text,
			       strerrordesc_np(f->open_error));
	else
		(void)snprintf(ret->text, sizeof(ret->text), "%s", text);
}

static void status_failing(const struct firmware_failure *device, char text[FIRMWARE_TEXT_MAX])
{
	const struct firmware_query *q = &device->query;
	char why[FIRMWARE_TEXT_MAX];

	failing_text(device, why);
	(void)snprintf(text, FIRMWARE_TEXT_MAX, "%04x:%02x:%02x.%x, %.*s", q->segment, q->bus,
		       q->devfn >> 3, q->devfn & 7, FIRMWARE_TEXT_MAX - 32, why);
}

static bool is_slow(const struct firmware *f, uint64_t under_way)
{
	return f->state == FIRMWARE_READY &&
	       (under_way > FIRMWARE_SLOW_BATCH_MS || f->call_ms > FIRMWARE_SLOW_CALL_MS);
}

void firmware_status(struct firmware *f, struct firmware_status *ret)
{
	uint64_t under_way;

	pthread_mutex_lock(&f->lock);
	under_way = f->current ? clock_monotonic_ms() - f->current_since_ms : 0;
	*ret = (struct firmware_status){.state = f->stopping		 ? FIRMWARE_STOPPED
						 : is_slow(f, under_way) ? FIRMWARE_SLOW
									 : f->state,
					.known = f->has_info,
					.in_flight_ms = (unsigned int)under_way,
					.hits = f->hits,
					.queried = f->queried,
					.coalesced = f->coalesced,
					.n_chunks = firmware_cache_count(f->cache)};
	if (f->has_info) {
		ret->rate = f->info.rate;
		ret->burst = f->info.burst;
		ret->calls = f->info.calls;
		ret->errors = f->info.errors;
		ret->refused = f->info.refused;
		ret->throttled = f->info.throttled;
		if (!under_way)
			ret->in_flight_ms = f->info.in_flight_ms;
	}
	status_text(f, ret);
	memcpy(ret->rejected, f->rejected, sizeof(ret->rejected));
	ret->rejected_reason = f->rejected_reason;
	ret->n_failing = f->n_failing;
	if (f->n_failing)
		status_failing(&f->failing[0], ret->failing);
	pthread_mutex_unlock(&f->lock);
}

/* Return: false unless @s begins with @n hexadecimal digits. */
static bool parse_hex(const char **s, unsigned int n, uint32_t *ret)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < n; i++, (*s)++) {
		const char *digits = "0123456789abcdef";
		const char *at = **s ? strchr(digits, **s | 0x20) : NULL;

		if (!at)
			return false;
		value = value << 4 | (uint32_t)(at - digits);
	}
	*ret = value;
	return true;
}

int firmware_query_parse(const char *bdf, struct firmware_query *ret)
{
	const char *colon = bdf ? strchr(bdf, ':') : NULL;
	uint32_t segment, bus, device, function;

	/* Domains that Linux assigns itself (VMD) have more digits. */
	if (!colon || colon - bdf < 4 || colon - bdf > 8 ||
	    !parse_hex(&bdf, (unsigned int)(colon - bdf), &segment) || *bdf++ != ':' ||
	    !parse_hex(&bdf, 2, &bus) || *bdf++ != ':' || !parse_hex(&bdf, 2, &device) ||
	    *bdf++ != '.' || !parse_hex(&bdf, 1, &function) || *bdf || device > 31 || function > 7)
		return -EINVAL;
	*ret = (struct firmware_query){.segment = segment,
				       .bus = (uint8_t)bus,
				       .devfn = (uint8_t)(device << 3 | function)};
	return 0;
}
