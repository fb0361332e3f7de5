// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The list of cxl-spa page import: each key of an entry, and the device that it names.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/page_list.h"
#include "common/arena.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "common/time_text.h"

DEFINE_CLEANUP(struct arena, arena_free);

/* ---- the keys ---------------------------------------------------------------------------------
 */

static int refuse(struct error *e, const char *key, const char *allowed)
{
	return error_set(e, EINVAL, "%s must be %s", key, allowed);
}

/* A text of "0x" and digits, as export writes it. Return: whether it is one. */
static bool take_hex(const json_t *value, uint64_t *ret)
{
	const char *text = json_string_value(value);

	return text && str_after_prefix(text, "0x") && parse_u64(text, ret) == 0;
}

static bool is_absent(const json_t *value)
{
	return !value || json_is_null(value);
}

/* @ret: keeps its value when the number is absent. Return: 0 or -EINVAL. */
static int get_count(const json_t *entry, const char *key, uint64_t *ret, struct error *e)
{
	const json_t *value = json_object_get(entry, key);

	if (is_absent(value))
		return 0;
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return refuse(e, key, "a whole number of 0 or more, or null");
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

static int get_device(const json_t *entry, struct remembered_page *p, struct error *e)
{
	const char *device = json_string_value(json_object_get(entry, "device"));

	if (!device || !stable_id_fits(device) || strchr(device, ':'))
		return refuse(
			e, "device",
			"the identifier of a device, as \"cxl-000000000000abc0\" or \"0000-0d-00.0\"");
	(void)snprintf(p->device, sizeof(p->device), "%s", device);
	return 0;
}

/* Return: whether the identifier is made of a serial number. */
static bool serial_of_device(const char *device, uint64_t *ret)
{
	const char *digits = str_after_prefix(device, "cxl-");

	if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
		return false;
	*ret = strtoull(digits, NULL, 16);
	return true;
}

static int get_serial(const json_t *entry, struct remembered_page *p, struct error *e)
{
	const json_t *value = json_object_get(entry, "serial");
	uint64_t expected;

	if (is_absent(value))
		return 0;
	if (!take_hex(value, &p->serial))
		return refuse(e, "serial",
			      "a text of a hexadecimal number, as \"0xabc0\", or null");
	if (!serial_of_device(p->device, &expected))
		return p->serial == 0
			       ? 0
			       : error_set(e, EINVAL,
					   "serial must be null, as device %s is not named by one",
					   p->device);
	if (p->serial != expected)
		return error_set(e, EINVAL,
				 "serial must be \"0x%" PRIx64 "\" or null, as device is %s: "
				 "\"0x%" PRIx64 "\" is of another device",
				 expected, p->device, p->serial);
	return 0;
}

static int get_range(const json_t *entry, struct remembered_page *p, struct error *e)
{
	int r;

	if (!take_hex(json_object_get(entry, "dpa"), &p->dpa) || p->dpa % REMEMBERED_LINE ||
	    p->dpa > INT64_MAX - PAGE_IMPORT_RANGE_MAX)
		return refuse(
			e, "dpa",
			"a text of a hexadecimal number, a multiple of 64 below 2^63 - 4096, as \"0x1000\"");
	p->length = REMEMBERED_LINE;
	r = get_count(entry, "length", &p->length, e);
	if (r < 0 || p->length == 0 || p->length % REMEMBERED_LINE ||
	    p->length > PAGE_IMPORT_RANGE_MAX)
		return error_set(
			e, EINVAL,
			"length must be a multiple of %d from %d to %d, or null for %d: split a longer range up",
			REMEMBERED_LINE, REMEMBERED_LINE, PAGE_IMPORT_RANGE_MAX, REMEMBERED_LINE);
	return 0;
}

static int get_words(const json_t *entry, struct remembered_page *p, struct error *e)
{
	const json_t *cause = json_object_get(entry, "cause");
	const json_t *mode = json_object_get(entry, "mode");
	const json_t *only_free = json_object_get(entry, "only_free");

	if (cause && page_cause_of_name(json_string_value(cause), &p->cause) < 0)
		return error_set(e, EINVAL, "cause must be \"%s\" or \"%s\"",
				 page_cause_name(PAGE_BY_HAND), page_cause_name(PAGE_BY_POLICY));
	p->hard = str_equal(json_string_value(mode), "hard");
	if (mode && !p->hard && !str_equal(json_string_value(mode), "soft"))
		return refuse(e, "mode", "\"soft\" or \"hard\"");
	p->only_free = json_is_true(only_free);
	if (only_free && !json_is_boolean(only_free))
		return refuse(e, "only_free", "true or false");
	return 0;
}

static int get_created(const json_t *entry, struct remembered_page *p, struct error *e)
{
	const json_t *value = json_object_get(entry, "created");
	struct time_written t = {0};

	if (is_absent(value))
		return 0;
	if (!json_is_string(value) || time_text_read(json_string_value(value), 0, &t) < 0)
		return refuse(e, "created", "a time, as \"2026-11-21T21:44:13Z\", or null");
	p->created_ns = t.first_ns;
	return 0;
}

/* ---- the devices of this host -----------------------------------------------------------------
 */

/* A device that is not here, or whose capacity cannot be read, may have any address. */
static int check_capacity(const struct memdev_ids *ids, const struct remembered_page *p,
			  struct error *e)
{
	const struct memdev *m = memdev_by_id(ids, p->device);
	const struct opt_u64 capacity = m ? memdev_capacity(m) : (struct opt_u64){0};

	if (capacity.present && (p->dpa >= capacity.value || p->length > capacity.value - p->dpa))
		return error_set(e, EINVAL,
				 "dpa and length must be within the 0x%" PRIx64
				 " bytes of device %s",
				 capacity.value, p->device);
	return 0;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

static int parse_entry(const json_t *entry, const struct memdev_ids *ids,
		       struct remembered_page *ret, struct error *e)
{
	int r;

	*ret = (struct remembered_page){0};
	if (!json_is_object(entry))
		return error_set(e, EINVAL, "it must be an object with device and dpa");
	r = get_device(entry, ret, e);
	if (r == 0)
		r = get_serial(entry, ret, e);
	if (r == 0)
		r = get_range(entry, ret, e);
	if (r == 0)
		r = get_words(entry, ret, e);
	if (r == 0)
		r = get_count(entry, "incident", &ret->incident, e);
	if (r == 0)
		r = get_created(entry, ret, e);
	return r == 0 ? check_capacity(ids, ret, e) : r;
}

/* Each is within one chunk, and so in one page. Return: 0, -ENOMEM, or -E2BIG. */
static int add_parts(struct remembered_pages *list, const struct remembered_page *p)
{
	for (uint64_t at = p->dpa, end = p->dpa + p->length; at < end;) {
		const uint64_t chunk_end = at - at % REMEMBERED_CHUNK + REMEMBERED_CHUNK;
		struct remembered_page *part =
			list->n < PAGE_LIMIT_TOTAL_MAX ? remembered_pages_add(list) : NULL;

		if (!part)
			return list->n < PAGE_LIMIT_TOTAL_MAX ? -ENOMEM : -E2BIG;
		*part = *p;
		part->dpa = at;
		part->length = (chunk_end < end ? chunk_end : end) - at;
		at = chunk_end;
	}
	return 0;
}

static int add_entry(const json_t *entry, const struct memdev_ids *ids,
		     struct remembered_pages *ret, struct error *e)
{
	struct remembered_page p;
	int r = parse_entry(entry, ids, &p, e);

	if (r < 0)
		return r;
	r = add_parts(ret, &p);
	if (r == -E2BIG)
		return error_set(
			e, E2BIG,
			"with it the list has more pages than the %d that can be remembered",
			PAGE_LIMIT_TOTAL_MAX);
	return r < 0 ? error_set(e, ENOMEM, "out of memory") : 0;
}

static int parse_list(const json_t *root, const struct memdev_ids *ids,
		      struct remembered_pages *ret, struct error *e)
{
	const json_t *list = json_object_get(root, "remembered");
	const size_t n = json_array_size(list);

	if (!json_is_array(list))
		return error_set(e, EINVAL, "it is no list that cxl-spa page export has written");
	if (n > PAGE_LIMIT_TOTAL_MAX)
		return error_set(e, E2BIG, "it has %zu pages, and %d can be remembered", n,
				 PAGE_LIMIT_TOTAL_MAX);
	for (size_t i = 0; i < n; i++) {
		int r = add_entry(json_array_get(list, i), ids, ret, e);

		if (r < 0) {
			error_prefix(e, "entry %zu", i + 1);
			return r;
		}
	}
	return 0;
}

int page_list_parse(const char *text, size_t len, const struct host *host,
		    struct remembered_pages *ret, struct error *e)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	const struct memdev_ids *ids = arena ? memdev_ids_new(arena, host) : NULL;
	json_error_t why;
	json_t *root;
	int r;

	if (!ids)
		return error_set(e, ENOMEM, "out of memory");
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (!root)
		return error_set(e, EINVAL, "line %d is no JSON: %.128s", why.line, why.text);
	r = parse_list(root, ids, ret, e);
	json_decref(root);
	return r;
}
