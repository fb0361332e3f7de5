// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/change.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/memdev_change.h"
#include "model/scrub.h"

static const struct {
	const char *name;
	unsigned int needs;
} kinds[CHANGE_KINDS] = {
	[CHANGE_REGION_CREATE] = {"create region", ALLOW_REGIONS},
	[CHANGE_REGION_DESTROY] = {"destroy region", ALLOW_REGIONS},
	[CHANGE_MEMORY_ONLINE] = {"bring memory online", ALLOW_MEMORY},
	[CHANGE_MEMORY_OFFLINE] = {"take memory offline", ALLOW_MEMORY},
	[CHANGE_MEMORY_DEVDAX] = {"take memory back to devdax", ALLOW_MEMORY},
	[CHANGE_MEMDEV_ENABLE] = {"enable memory device", ALLOW_MEMORY},
	[CHANGE_MEMDEV_DISABLE] = {"disable memory device", ALLOW_MEMORY},
	[CHANGE_PARTITIONS] = {"set partition sizes", ALLOW_PARTITIONS},
	[CHANGE_ALERTS] = {"set alert thresholds", ALLOW_ALERTS},
	[CHANGE_LIGHT] = {"switch the light of a slot", ALLOW_ALERTS},
	[CHANGE_SET_PASSPHRASE] = {"set passphrase", ALLOW_SECURITY},
	[CHANGE_DISABLE_PASSPHRASE] = {"disable passphrase", ALLOW_SECURITY},
	[CHANGE_UNLOCK] = {"unlock", ALLOW_SECURITY},
	[CHANGE_FREEZE_SECURITY] = {"freeze security state", ALLOW_SECURITY},
	[CHANGE_SECURE_ERASE] = {"secure erase", ALLOW_SECURITY},
	[CHANGE_OVERWRITE] = {"overwrite", ALLOW_SECURITY},
	[CHANGE_POISON_INJECT] = {"inject poison", ALLOW_POISON},
	[CHANGE_POISON_CLEAR] = {"clear poison", ALLOW_POISON},
	[CHANGE_POISON_LIST] = {"read the poison list", ALLOW_POISON},
	[CHANGE_REPAIR] = {"repair", ALLOW_REPAIR},
	[CHANGE_FIRMWARE] = {"update firmware", ALLOW_FIRMWARE},
	[CHANGE_TIMESTAMP] = {"set the timestamp", ALLOW_RAW},
	[CHANGE_QOS_READ] = {"read the QoS control", ALLOW_RAW},
	[CHANGE_THROTTLING] = {"set throughput reduction", ALLOW_RAW},
	[CHANGE_SCAN_MEDIA] = {"scan the media", ALLOW_RAW},
	[CHANGE_SCRUB] = {"set patrol scrub", ALLOW_SCRUB},
	[CHANGE_ECS] = {"set error check scrub", ALLOW_SCRUB},
	[CHANGE_REGION_SCRUB] = {"set patrol scrub of region", ALLOW_SCRUB},
};

void change_memdev_set(struct change_memdev *ret, const struct memdev *m)
{
	*ret = (struct change_memdev){.serial = m->serial.present ? m->serial.value : 0};
	(void)snprintf(ret->name, sizeof(ret->name), "%s", m->name);
	(void)snprintf(ret->place, sizeof(ret->place), "%s", m->host ? m->host : "");
}

bool change_memdev_is(const struct change_memdev *wanted, const struct memdev *m)
{
	struct change_memdev now;

	change_memdev_set(&now, m);
	return (wanted->serial == 0 || now.serial == wanted->serial) &&
	       (wanted->place[0] == '\0' || str_equal(now.place, wanted->place));
}

void change_of_memdev(struct change *ret, enum change_kind kind, const struct memdev *m)
{
	struct change_memdev it;

	change_memdev_set(&it, m);
	*ret = (struct change){.kind = kind, .identity = it.serial};
	memcpy(ret->object, it.name, sizeof(ret->object));
	memcpy(ret->place, it.place, sizeof(ret->place));
}

unsigned int change_needs(uint32_t kind)
{
	return kind < CHANGE_KINDS ? kinds[kind].needs : 0;
}

const char *change_kind_name(uint32_t kind)
{
	return kind < CHANGE_KINDS && kinds[kind].name ? kinds[kind].name : "?";
}

const char *change_outcome_name(uint32_t outcome)
{
	static const char *const names[] = {
		[CHANGE_DONE] = "done",		[CHANGE_REFUSED] = "refused",
		[CHANGE_UNDONE] = "undone",	[CHANGE_INCOMPLETE] = "incomplete",
		[CHANGE_UNKNOWN] = "not known",
	};

	return outcome < ARRAY_SIZE(names) ? names[outcome] : names[CHANGE_UNKNOWN];
}

void change_wipe(struct change *c)
{
	if (c)
		explicit_bzero(c, sizeof(*c));
}

/* ---- form -------------------------------------------------------------------------------------
 */

/* Letters, digits, '.', '_': names of the kernel, which never lead out of a directory. */
static bool is_name(const char s[static CHANGE_NAME_MAX])
{
	const size_t n = strnlen(s, CHANGE_NAME_MAX);

	return n > 0 && n < CHANGE_NAME_MAX && s[0] != '.' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._") == n;
}

/* "" is none. It is compared alone, so that it may be any text. */
static bool is_place(const char s[static CHANGE_NAME_MAX])
{
	return strnlen(s, CHANGE_NAME_MAX) < CHANGE_NAME_MAX;
}

static bool is_uuid(const char s[static CHANGE_UUID_MAX])
{
	const size_t n = strnlen(s, CHANGE_UUID_MAX);

	return n == 0 || (n == 36 && strspn(s, "0123456789abcdefABCDEF-") == n);
}

static int check_region(const struct change_region *r, struct error *e)
{
	if (r->mode != DECODER_MODE_RAM && r->mode != DECODER_MODE_PMEM)
		return error_set(e, EINVAL, "a region is volatile (ram) or persistent (pmem)");
	if (r->ways == 0 || r->ways > INTERLEAVE_WAYS_MAX)
		return error_set(e, EINVAL, "a region has from 1 to %d devices",
				 INTERLEAVE_WAYS_MAX);
	if (r->size == 0)
		return error_set(e, EINVAL, "a region has a size");
	if (!is_uuid(r->uuid))
		return error_set(e, EINVAL, "the UUID of the region is not one");
	for (size_t i = 0; i < r->ways; i++)
		if (!is_name(r->positions[i].name) || !is_place(r->positions[i].place))
			return error_set(e, EINVAL, "position %zu has no device", i);
	return 0;
}

static int check_security(const struct change_security *s, struct error *e)
{
	if (s->master > 1 || s->old.len > CHANGE_SECRET_MAX || s->new.len > CHANGE_SECRET_MAX)
		return error_set(e, EINVAL, "a passphrase has at most %d bytes", CHANGE_SECRET_MAX);
	return 0;
}

static int check_scrub(const struct change_scrub *s, struct error *e)
{
	const uint32_t all = CHANGE_SCRUB_ENABLED | CHANGE_SCRUB_CYCLE;

	if (s->fields == 0 || (s->fields & ~all) || s->enabled > 1)
		return error_set(e, EINVAL, "patrol scrub is switched on or off, or gets a cycle");
	if ((s->fields & CHANGE_SCRUB_CYCLE) && s->cycle_s > SCRUB_CYCLE_S_MAX)
		return error_set(e, EINVAL, "a cycle of patrol scrub has at most %d s",
				 SCRUB_CYCLE_S_MAX);
	return 0;
}

static int check_ecs(const struct change_ecs *s, struct error *e)
{
	const uint32_t all = CHANGE_ECS_PER_FRU | CHANGE_ECS_CODEWORDS | CHANGE_ECS_THRESHOLD;

	if (s->fields == 0 || (s->fields & ~all) || s->per_fru > 1 || s->codewords > 1)
		return error_set(e, EINVAL,
				 "error check scrub gets an entry type, a mode or a threshold");
	return s->fields & CHANGE_ECS_THRESHOLD ? ecs_check_threshold(s->threshold, e) : 0;
}

static int check_repair(const struct change *c, struct error *e)
{
	const struct change_repair *r = &c->repair;

	if (r->type == EDAC_REPAIR_UNKNOWN || r->type >= EDAC_REPAIR_TYPE_COUNT)
		return error_set(e, EINVAL, "there is no such type of repair");
	if (c->identity == 0)
		return error_set(e, EINVAL,
				 "a device without a serial number cannot be identified");
	if (r->dpa & REPAIR_DPA_NOT_REPAIRABLE)
		return error_set(e, EINVAL, "the device says that the address is not repairable");
	if (repair_parts_needed((enum edac_repair_type)r->type) & ~r->known)
		return error_set(e, EINVAL, "the record does not have all that %s needs",
				 edac_repair_type_word((enum edac_repair_type)r->type));
	for (int i = 0; i < REPAIR_PARTS; i++)
		if (!(r->known >> i & 1) && r->part[i] != 0)
			return error_set(e, EINVAL, "a part that is not known has a value");
	return 0;
}

static int check_values(const struct change *c, struct error *e)
{
	switch (c->kind) {
	case CHANGE_REGION_CREATE:
		return check_region(&c->region, e);
	case CHANGE_MEMORY_ONLINE:
		return c->zone > CHANGE_ZONE_KERNEL ? error_set(e, EINVAL, "there is no such zone")
						    : 0;
	case CHANGE_LIGHT:
		return c->on > 1 ? error_set(e, EINVAL, "a light is on or off") : 0;
	case CHANGE_THROTTLING:
		return c->on > 1 ? error_set(e, EINVAL, "throughput reduction is on or off") : 0;
	case CHANGE_SCAN_MEDIA:
		return c->scan.no_event_log > 1 || !media_range_is_valid(&c->scan.range)
			       ? error_set(e, EINVAL, "the range of the scan is none")
			       : 0;
	case CHANGE_TIMESTAMP:
		return c->timestamp_ns == 0 ? error_set(e, EINVAL, "a timestamp of 0 is none") : 0;
	case CHANGE_POISON_INJECT:
	case CHANGE_POISON_CLEAR:
		return poison_check_lines(c->poison.address, c->poison.length, e);
	case CHANGE_SCRUB:
	case CHANGE_REGION_SCRUB:
		return check_scrub(&c->scrub, e);
	case CHANGE_ECS:
		return check_ecs(&c->ecs, e);
	case CHANGE_REPAIR:
		return check_repair(c, e);
	case CHANGE_FIRMWARE:
		return c->firmware.size == 0 || c->firmware.size > CHANGE_IMAGE_MAX
			       ? error_set(e, EINVAL, "a firmware image has from 1 to %d bytes",
					   CHANGE_IMAGE_MAX)
			       : 0;
	case CHANGE_SET_PASSPHRASE:
	case CHANGE_DISABLE_PASSPHRASE:
	case CHANGE_UNLOCK:
	case CHANGE_SECURE_ERASE:
		return check_security(&c->security, e);
	default:
		return 0;
	}
}

int change_check(const struct change *c, struct error *e)
{
	if (change_needs(c->kind) == 0)
		return error_set(e, EINVAL, "there is no such change");
	if (!is_name(c->object) || !is_place(c->place) || c->force > 1)
		return error_set(e, EINVAL, "the object of the change has no valid name");
	return check_values(c, e);
}

int change_result_set(struct change_result *ret, int code, enum change_outcome outcome,
		      const char *fmt, ...)
{
	va_list ap;

	ret->error = -abs(code);
	ret->outcome = outcome;
	va_start(ap, fmt);
	(void)vsnprintf(ret->text, sizeof(ret->text), fmt, ap);
	va_end(ap);
	return ret->error;
}
