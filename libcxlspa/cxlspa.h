/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLSPA_H
#define CXLSPA_H

/*
 * libcxlspa: addresses of CXL memory, for programs in C.
 *
 * A handle is one reading of a host: of this machine, or of a captured one. It answers by that
 * reading until cxlspa_refresh() replaces it. A handle belongs to one thread at a time; different
 * handles are independent of each other. The library keeps no other state, prints nothing, forks
 * nothing, and changes no signal handler. Where firmware has to be queried (/dev/cxl_prm), a handle
 * starts one thread, which takes no signals, and ends it with cxlspa_close().
 *
 * Functions return 0 or a negative errno, which cxlspa_strerror() explains. "No address is known"
 * is an answer and no error: flags, source and reason say what is known and why it is not more.
 * Only an answer with CXLSPA_EXACT is the address; one without is an interval that holds it, or
 * nothing. Never take memory out of use by an interval.
 *
 * Addresses are bytes. Ranges include their last byte.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cxlspa;

enum {
	CXLSPA_NAME_MAX = 64,	 /* bytes of a name with its NUL */
	CXLSPA_REASON_MAX = 320, /* likewise of a reason */
};

/* Where an answer comes from. */
enum cxlspa_source {
	CXLSPA_SOURCE_NONE,	/* no answer */
	CXLSPA_SOURCE_KERNEL,	/* not used yet: a kernel that translates by itself */
	CXLSPA_SOURCE_PRM,	/* firmware, by /dev/cxl_prm */
	CXLSPA_SOURCE_RECORDED, /* an answer of firmware that a captured host has */
	CXLSPA_SOURCE_EMULATED, /* a rule that a captured host has instead of its firmware */
	CXLSPA_SOURCE_DECODER,	/* arithmetic over the decoders */
	CXLSPA_SOURCE_ESTIMATE, /* an interval from the attributes of a region */
};

/* Bits of cxlspa_answer.flags. */
enum {
	CXLSPA_EXACT = 1 << 0,	    /* spa and dpa are the one address of each other */
	CXLSPA_HAS_DPA = 1 << 1,    /* dpa and dpa_last are set */
	CXLSPA_HAS_SPA = 1 << 2,    /* spa and spa_last are set */
	CXLSPA_HAS_ALIAS = 1 << 3,  /* alias and alias_last are set */
	CXLSPA_HAS_SERIAL = 1 << 4, /* serial is set */
};

/*
 * The answer for one address. The caller sets size; the library writes no more than that, clears
 * what it does not know, and later versions add members at the end only. Names that do not apply
 * are "".
 */
struct cxlspa_answer {
	size_t size; /* sizeof(struct cxlspa_answer) of the caller */
	uint32_t flags;
	int32_t source; /* enum cxlspa_source */
	uint64_t dpa, dpa_last;
	uint64_t spa, spa_last;
	/* The other addresses of the same lines of an extended linear cache. */
	uint64_t alias, alias_last;
	uint64_t serial;
	int32_t numa_node;	       /* of the memory; -1: not known */
	int32_t position;	       /* of the device in its interleave set; -1: not known */
	uint32_t n_candidates;	       /* devices that are possible; 1 when `memdev` is the one */
	uint32_t reserved;	       /* 0 */
	char memdev[CXLSPA_NAME_MAX];  /* "mem2" */
	char region[CXLSPA_NAME_MAX];  /* of Linux */
	char decoder[CXLSPA_NAME_MAX]; /* of the endpoint */
	char window[CXLSPA_NAME_MAX];  /* root decoder */
	char dax[CXLSPA_NAME_MAX];
	char reason[CXLSPA_REASON_MAX]; /* why it is not exact, or a remark; a sentence */
};

/* The owner of a part of a range. Texts are valid until the callback returns. */
struct cxlspa_owner {
	size_t size; /* of the library's struct: members beyond it do not exist */
	uint64_t first, last;
	int32_t usable;	    /* by Linux, as memory: 1, 0; -1: not known */
	int32_t releasable; /* likewise; -1 also where there is nothing to release */
	const char *what;   /* "System RAM (kmem) of dax0.0 in region0" */
	const char *made_by;
	const char *after_release; /* what stays claimed then; NULL when nothing is released */
};

/* Return: 0 to go on; any other value ends cxlspa_owner(), which returns it. */
typedef int (*cxlspa_owner_fn)(const struct cxlspa_owner *owner, void *arg);

/*
 * cxlspa_open() - read a host
 * @host: NULL for this machine; the directory of a captured host otherwise
 * @ret: freed with cxlspa_close()
 *
 * This machine: without root some attributes, ACPI tables and /dev/cxl_prm cannot be read. Then
 * answers are intervals or missing, with that reason, and never exact by what is left. Root waits
 * for the probing of devices first, by /sys/bus/cxl/flush.
 *
 * Return: 0; -ENOENT, -EACCES, -ENOTDIR for a directory that cannot be opened; -EINVAL when it is
 * no captured host, -EFBIG when it is beyond the limits of one, -EBADMSG for an invalid ACPI table
 * in it; -ENOMEM; other system errors.
 */
int cxlspa_open(const char *host, struct cxlspa **ret);

/* Accepts NULL. */
void cxlspa_close(struct cxlspa *c);

/*
 * cxlspa_dpa_to_spa() - from device to system
 * @memdev: memN, a PCI address dddd:bb:dd.f, serial:NUMBER, or a Redfish Id cxl-...
 * @ret: its size is set by the caller
 *
 * Waits for firmware where that is needed: at most 10 s, and once a handle 30 s at the rate limit.
 *
 * Return: 0; -EINVAL for a name that is malformed, or a size that is too small; -ENODEV when the
 * host has no such device; -EEXIST for a serial number that several devices have; -ENOMEM.
 */
int cxlspa_dpa_to_spa(struct cxlspa *c, const char *memdev, uint64_t dpa,
		      struct cxlspa_answer *ret);

/* cxlspa_spa_to_dpa() - from system to device, as cxlspa_dpa_to_spa(). Return: 0, -EINVAL, -ENOMEM.
 */
int cxlspa_spa_to_dpa(struct cxlspa *c, uint64_t spa, struct cxlspa_answer *ret);

/*
 * cxlspa_owner() - what a range of system addresses is, and who made it so
 * @length: bytes, not 0
 * @callback: called for each part in ascending order; together they cover the range
 *
 * Return: 0; the value of the callback that was not 0; -EINVAL when the range is empty or ends
 * beyond 2^64; -ENOMEM.
 */
int cxlspa_owner(struct cxlspa *c, uint64_t start, uint64_t length, cxlspa_owner_fn callback,
		 void *arg);

/*
 * cxlspa_fd() - a descriptor that becomes readable when the host may have changed
 *
 * For poll(); it belongs to the handle. Call cxlspa_refresh() then. Onlining memory makes hundreds
 * of changes: wait some 200 ms without one. A captured host never changes.
 *
 * Return: the descriptor, or a negative errno where udev cannot be asked.
 */
int cxlspa_fd(struct cxlspa *c);

/*
 * cxlspa_refresh() - read the host again
 *
 * Return: 0; a negative errno as cxlspa_open(), and the handle goes on with the former reading.
 */
int cxlspa_refresh(struct cxlspa *c);

/* The name of a source in JSON of cxl-spa: "prm", "decoder"; "none" and "unknown" otherwise. */
const char *cxlspa_source_name(int source);

/* The meaning of an error of this library: a sentence without a final stop. Any thread. */
const char *cxlspa_strerror(int error);

/* The version of the library, "0.1.0". */
const char *cxlspa_version(void);

#ifdef __cplusplus
}
#endif

#endif
