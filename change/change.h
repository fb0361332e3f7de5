/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_CHANGE_H
#define CXLR_CHANGE_CHANGE_H

/*
 * One change of this host's CXL memory, as plain data, and what became of it.
 *
 * A change is prepared by cxl-spa or by an operation of a Redfish resource, and made by
 * change_run() (run.h): in the process of cxl-spa itself, or in cxl-redfish-change-helper, which
 * receives the bytes of a struct change from cxl-redfishd and trusts nothing in it: change_check()
 * looks at its form, and each operation reads the host again before it changes anything.
 *
 * Names of objects are the kernel's, which can name another object later; so each has what
 * identifies it: a region the inode of its directory, a memory device its serial number, if it has
 * one, and its place, a window its first address, if that is known. An object that is not the same
 * any more is -ESTALE.
 *
 * Plain data only, no pointers; unused bytes are 0. A struct change may contain passphrases: wipe
 * it with change_wipe() when it is not needed any more, and never print what is in a struct
 * change_secret. Functions keep no state; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/allow.h"
#include "common/error.h"
#include "events/repair_place.h"
#include "mailbox/mailbox.h"
#include "mailbox/raw_layouts.h"
#include "sysfs/host.h"

enum {
	CHANGE_NAME_MAX = 32, /* of an object, with the NUL */
	CHANGE_UUID_MAX = 40,
	CHANGE_UNIT_MAX = 16,
	CHANGE_TEXT_MAX = 512,
	CHANGE_SECRET_MAX = 128,    /* bytes of a passphrase */
	CHANGE_IMAGE_MAX = 1 << 30, /* bytes of a firmware image */
	CHANGE_FOUND_MAX = 4096,    /* ranges with poison of one scan */
};

enum change_kind {
	/* ALLOW_REGIONS */
	CHANGE_REGION_CREATE = 1, /* `object` is the window: a root decoder */
	CHANGE_REGION_DESTROY,	  /* `object` is the region, here and in the next three */
	/* ALLOW_MEMORY */
	CHANGE_MEMORY_ONLINE,  /* its dax devices become system-ram, all blocks online */
	CHANGE_MEMORY_OFFLINE, /* all blocks offline; the devices stay system-ram */
	CHANGE_MEMORY_DEVDAX,  /* offline, and back to devdax */
	CHANGE_MEMDEV_ENABLE,  /* `object` is the memory device, here and in all that follow */
	CHANGE_MEMDEV_DISABLE,
	/* ALLOW_PARTITIONS */
	CHANGE_PARTITIONS, /* staged: in force after the next reset of the device */
	/* ALLOW_ALERTS */
	CHANGE_ALERTS,
	CHANGE_LIGHT, /* of the slot */
	/* ALLOW_SECURITY */
	CHANGE_SET_PASSPHRASE,
	CHANGE_DISABLE_PASSPHRASE,
	CHANGE_UNLOCK,
	CHANGE_FREEZE_SECURITY,
	CHANGE_SECURE_ERASE, /* passphrase secure erase (4505h), or cryptographic without one */
	CHANGE_OVERWRITE,    /* sanitize (4400h) */
	/* ALLOW_POISON */
	CHANGE_POISON_INJECT,
	CHANGE_POISON_CLEAR,
	CHANGE_POISON_LIST, /* the kernel reads it, and traces a record for each entry */
	/* ALLOW_FIRMWARE */
	CHANGE_FIRMWARE, /* with the descriptor of an image */
	/* ALLOW_REPAIR */
	CHANGE_REPAIR, /* of one place, as an event has it */
	/* ALLOW_RAW */
	CHANGE_TIMESTAMP,  /* the clock of the device, which goes on from it */
	CHANGE_QOS_READ,   /* changes nothing: change_result.qos */
	CHANGE_THROTTLING, /* Temporary Throughput Reduction of that, `on` */
	CHANGE_SCAN_MEDIA, /* takes as long as the device likes; change_context.found */
	/* ALLOW_SCRUB */
	CHANGE_SCRUB,	     /* patrol scrub of the memory device */
	CHANGE_ECS,	     /* error check scrub of all its FRUs */
	CHANGE_REGION_SCRUB, /* patrol scrub of all members: `object` is the region */
	CHANGE_KINDS
};

struct change_memdev {
	char name[CHANGE_NAME_MAX];
	char place[CHANGE_NAME_MAX]; /* its parent device: "0000:0d:00.0"; "": not known */
	uint64_t serial;	     /* 0: it has none */
};

/* A region as it is to be; all of it is known, see model/region_plan.h. */
struct change_region {
	uint32_t mode; /* DECODER_MODE_RAM or DECODER_MODE_PMEM */
	uint32_t ways;
	uint32_t granularity; /* bytes */
	uint32_t reserved;
	uint64_t size;		    /* bytes, of the region */
	char uuid[CHANGE_UUID_MAX]; /* of pmem; "": a new one */
	struct change_memdev positions[INTERLEAVE_WAYS_MAX];
};

enum change_zone { CHANGE_ZONE_MOVABLE, CHANGE_ZONE_KERNEL };

struct change_alerts {
	uint32_t fields; /* 1 << enum mailbox_alert_kind of those whose values are set */
	uint32_t enable; /* of those: reported from now on; the others of `fields` are not */
	int32_t thresholds[MAILBOX_ALERTS]; /* percent, degrees Celsius, errors */
};

struct change_secret {
	uint32_t len; /* 0: none */
	uint8_t bytes[CHANGE_SECRET_MAX];
};

struct change_security {
	uint32_t master; /* 1: of the master passphrase */
	struct change_secret old, new;
};

struct change_poison {
	uint64_t address, length; /* DPA, both multiples of POISON_LINE */
};

struct change_repair {
	uint32_t type;	/* enum edac_repair_type */
	uint32_t known; /* a bit for each enum repair_part that the record has */
	uint64_t dpa;	/* with its flags in bits 1:0 */
	uint32_t part[REPAIR_PARTS];
};

enum {
	CHANGE_SCRUB_ENABLED = 1 << 0, /* bits of `fields` */
	CHANGE_SCRUB_CYCLE = 1 << 1,
};

struct change_scrub {
	uint32_t fields;  /* that are set */
	uint32_t enabled; /* 1: in the background; 0: not */
	uint64_t cycle_s; /* seconds; Linux cuts them to hours */
};

enum {
	CHANGE_ECS_PER_FRU = 1 << 0, /* bits of `fields` */
	CHANGE_ECS_CODEWORDS = 1 << 1,
	CHANGE_ECS_THRESHOLD = 1 << 2,
};

struct change_ecs {
	uint32_t fields;			/* that are set */
	uint32_t per_fru, codewords, threshold; /* struct ecs_fru */
};

struct change_scan {
	struct media_range range;
	uint64_t no_event_log; /* 1: the device puts no records of it into its event logs */
};

struct change_firmware {
	uint64_t size; /* bytes of the image */
};

struct change {
	uint32_t kind;	/* enum change_kind */
	uint32_t force; /* 1: destroy a region that is online or held, if the kernel can */
	char object[CHANGE_NAME_MAX];
	char place[CHANGE_NAME_MAX]; /* of a memory device, see struct change_memdev */
	/* Inode of a region; serial of a memory device; first address of a window; 0: not known. */
	uint64_t identity;
	union {
		struct change_region region; /* CHANGE_REGION_CREATE */
		uint32_t zone;		     /* CHANGE_MEMORY_ONLINE: enum change_zone */
		uint64_t volatile_bytes;     /* CHANGE_PARTITIONS: of the device, with what is only
					      * volatile; the rest is persistent */
		struct change_alerts alerts;
		uint32_t on;			 /* CHANGE_LIGHT, CHANGE_THROTTLING: 1, or 0 */
		struct change_security security; /* the kinds that take a passphrase */
		struct change_poison poison;
		struct change_repair repair;
		struct change_firmware firmware;
		struct change_scrub scrub; /* CHANGE_SCRUB, CHANGE_REGION_SCRUB */
		struct change_ecs ecs;
		uint64_t timestamp_ns;	 /* CHANGE_TIMESTAMP: since 1970, not 0 */
		struct change_scan scan; /* CHANGE_SCAN_MEDIA */
	};
};

/* Fills in all that is compared of a device before it is changed. */
void change_memdev_set(struct change_memdev *ret, const struct memdev *m);

/* Return: whether that is the device; facts that are not known are not compared. */
bool change_memdev_is(const struct change_memdev *wanted, const struct memdev *m);

/* A change of a device, with `object` and what identifies it. */
void change_of_memdev(struct change *ret, enum change_kind kind, const struct memdev *m);

/* Return: the bit of --allow that a kind needs; 0 when there is no such kind. */
unsigned int change_needs(uint32_t kind);

/* Return: a kind as logs and messages name it: "create region". */
const char *change_kind_name(uint32_t kind);

/* change_check() - the form of a change: kind, names, numbers. Return: 0 or -EINVAL. */
int change_check(const struct change *c, struct error *e);

/* Wipes a change with all passphrases. Accepts NULL. */
void change_wipe(struct change *c);

/* ---- what became of it ----------------------------------------------------------------------- */

enum change_outcome {
	CHANGE_DONE,
	CHANGE_REFUSED,	   /* nothing was changed */
	CHANGE_UNDONE,	   /* a step failed, and what was changed before is as it was */
	CHANGE_INCOMPLETE, /* a step failed, and `text` has what could not be undone */
	CHANGE_UNKNOWN,	   /* it is not known: the helper or the device did not answer */
};

/* Return: an outcome as the audit log and JSON name it: "done", "refused", "undone", "incomplete",
 * "not known". */
const char *change_outcome_name(uint32_t outcome);

/*
 * Errors, for clients to distinguish: -EINVAL a value cannot be had (size, position, threshold);
 * -ENOSPC not enough free DPA or SPA; -EBUSY in use, or another change is made; -EPERM locked,
 * Normalized, frozen; -EACCES not allowed by --allow; -EKEYREJECTED the passphrase is wrong;
 * -ENOENT there is no such object; -ESTALE it is another one now; -EOPNOTSUPP the device or the
 * kernel cannot; -ECANCELED on request; -ETIMEDOUT; -EIO the device or the kernel reports a
 * failure.
 */
struct change_result {
	int32_t error;		      /* 0, or a negative errno */
	uint32_t outcome;	      /* enum change_outcome */
	char object[CHANGE_NAME_MAX]; /* what was created: "region0"; otherwise the object */
	uint64_t identity;	      /* of that */
	/* A sentence, or several: what happened to what, why, what to do. When all is done it is
	 * "", of a repair whether it is soft or hard, and of scrub what is set now, and what was
	 * before. */
	char text[CHANGE_TEXT_MAX];
	struct sld_qos qos; /* CHANGE_QOS_READ, CHANGE_THROTTLING: as it is now */
};

/*
 * change_result_set() - for the error path of an operation
 * @fmt: the text, without a final newline
 *
 * Return: always -|code|.
 */
int change_result_set(struct change_result *ret, int code, enum change_outcome outcome,
		      const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* How much of it is done, in a unit that the kernel itself counts: blocks, bytes, percent. */
struct change_progress {
	uint64_t done, total; /* total 0: not known */
	char unit[CHANGE_UNIT_MAX];
	char part[CHANGE_NAME_MAX]; /* the device it is about, of several; "": the whole */
};

#endif
