// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jansson.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "prm/interleave.h"
#include "selftest/marker.h"

struct model_rule {
	uint64_t base, dpa;
	unsigned int ways, granularity, position;
	uint64_t masks[MODEL_MASKS_MAX]; /* 0: none */
};

struct selftest_model {
	uint8_t *bytes;
	uint64_t first, last;
	struct model_rule rules[INTERLEAVE_WAYS_MAX]; /* by position */
	size_t n_rules;
};

static void cleanup_json(json_t **j)
{
	json_decref(*j);
}

/* ---- rules ------------------------------------------------------------------------------------
 */

static int rule_address(const json_t *j, const char *key, size_t number, bool needed, uint64_t *ret,
			struct error *e)
{
	const json_t *value = json_object_get(j, key);
	const char *text = json_string_value(value);

	if (!value && !needed)
		return 0;
	if (!text || parse_address(text, ret) < 0)
		return error_set(e, EINVAL, "rule %zu: \"%s\" is not an address as \"0x210000000\"",
				 number, key);
	return 0;
}

static int rule_count(const json_t *j, const char *key, size_t number, unsigned int *ret,
		      struct error *e)
{
	const json_t *value = json_object_get(j, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > INT32_MAX)
		return error_set(e, EINVAL, "rule %zu: \"%s\" is not a number", number, key);
	*ret = (unsigned int)json_integer_value(value);
	return 0;
}

static int rule_masks(const json_t *j, size_t number, struct model_rule *r, struct error *e)
{
	const json_t *masks = json_object_get(j, "position_masks");
	const size_t n = json_array_size(masks);

	if (!masks)
		return 0;
	if (!json_is_array(masks) || n > MODEL_MASKS_MAX)
		return error_set(e, EINVAL,
				 "rule %zu: \"position_masks\" is not an array of at most %d masks",
				 number, MODEL_MASKS_MAX);
	for (size_t i = 0; i < n; i++) {
		const char *text = json_string_value(json_array_get(masks, i));

		if (!text || parse_address(text, &r->masks[i]) < 0)
			return error_set(e, EINVAL,
					 "rule %zu: a mask is not a number as \"0xfffe\"", number);
	}
	if (n > 0 && (r->ways & (r->ways - 1) || r->ways >> n == 0))
		return error_set(
			e, EINVAL,
			"rule %zu: \"position_masks\" needs ways that are a power of two, and at most a mask for each bit of the position",
			number);
	return 0;
}

static int rule_read(const json_t *j, size_t number, struct model_rule *ret, struct error *e)
{
	*ret = (struct model_rule){0};
	if (rule_address(j, "base", number, true, &ret->base, e) < 0 ||
	    rule_address(j, "dpa", number, false, &ret->dpa, e) < 0 ||
	    rule_count(j, "ways", number, &ret->ways, e) < 0 ||
	    rule_count(j, "granularity", number, &ret->granularity, e) < 0 ||
	    rule_count(j, "position", number, &ret->position, e) < 0 ||
	    rule_masks(j, number, ret, e) < 0)
		return -EINVAL;
	if (!interleave_ways_valid(ret->ways) || ret->position >= ret->ways ||
	    ret->granularity < 256 || ret->granularity & (ret->granularity - 1))
		return error_set(e, EINVAL,
				 "rule %zu: no decoder has these ways, granularity and position",
				 number);
	return 0;
}

static bool rule_names(const json_t *j, const struct memdev *m)
{
	const char *bdf = json_string_value(json_object_get(j, "bdf"));
	const char *serial = json_string_value(json_object_get(j, "serial"));
	uint64_t number;

	if (bdf)
		return !serial && m->bdf && strcmp(bdf, m->bdf) == 0;
	return serial && parse_address(serial, &number) == 0 && opt_u64_is(m->serial, number);
}

/* The rule of a device: the only one that names it. */
static int rule_find(const json_t *root, const struct memdev *m, struct model_rule *ret,
		     struct error *e)
{
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(root); i++) {
		const json_t *j = json_array_get(root, i);

		if (!rule_names(j, m))
			continue;
		if (found++)
			return error_set(e, EINVAL, "rule %zu is a second one for %s", i + 1,
					 m->name);
		if (rule_read(j, i + 1, ret, e) < 0)
			return -EINVAL;
	}
	if (!found)
		return error_set(e, EINVAL, "no rule has the \"bdf\" or \"serial\" of %s", m->name);
	return 0;
}

static int rules_read(struct selftest_model *m, const char *text, size_t len,
		      const struct memdev *const *devices, size_t n, struct error *e)
{
	_cleanup_(cleanup_json) json_t *root = NULL;
	json_error_t je;

	if (len > MODEL_BYTES_MAX)
		return error_set(e, EINVAL, "it is longer than %d bytes", MODEL_BYTES_MAX);
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &je);
	if (!root)
		return error_set(e, EINVAL, "line %d is not JSON", je.line);
	if (!json_is_array(root))
		return error_set(e, EINVAL, "it is not an array of rules");
	for (size_t i = 0; i < n; i++)
		if (rule_find(root, devices[i], &m->rules[i], e) < 0)
			return -EINVAL;
	m->n_rules = n;
	return 0;
}

/* Return: false when the DPA is below the rule's, or the SPA has more than 64 bits. */
static bool rule_spa(const struct model_rule *r, uint64_t dpa, uint64_t *ret)
{
	const uint64_t d = dpa - r->dpa, block = d / r->granularity;
	unsigned int position = r->position;
	uint64_t chunk, offset;

	for (size_t i = 0; i < MODEL_MASKS_MAX; i++)
		position ^= (unsigned int)__builtin_parityll(block & r->masks[i]) << i;
	return dpa >= r->dpa && !__builtin_mul_overflow(block, (uint64_t)r->ways, &chunk) &&
	       !__builtin_add_overflow(chunk, (uint64_t)position, &chunk) &&
	       !__builtin_mul_overflow(chunk, (uint64_t)r->granularity, &offset) &&
	       !__builtin_add_overflow(offset, d % r->granularity, &offset) &&
	       !__builtin_add_overflow(offset, r->base, ret);
}

/* ---- the interfaces ---------------------------------------------------------------------------
 */

static int memory_write(void *userdata, uint64_t spa, const uint8_t *line, struct error *e)
{
	struct selftest_model *m = userdata;

	(void)e;
	memcpy(m->bytes + (spa - m->first), line, MARKER_LINE);
	return 0;
}

static int memory_read(void *userdata, uint64_t spa, uint8_t *line, struct error *e)
{
	const struct selftest_model *m = userdata;

	(void)e;
	memcpy(line, m->bytes + (spa - m->first), MARKER_LINE);
	return 0;
}

static int device_clear(void *userdata, unsigned int position, uint64_t dpa, struct error *e)
{
	struct selftest_model *m = userdata;
	uint64_t spa;

	if (position >= m->n_rules)
		return error_set(e, ENODEV, "the model has no device at position %u", position);
	if (!rule_spa(&m->rules[position], dpa, &spa))
		return error_set(e, EINVAL, "the model has no DPA 0x%" PRIx64, dpa);
	for (unsigned int i = 0; i < MARKER_LINE; i++, spa++)
		if (spa >= m->first && spa <= m->last)
			m->bytes[spa - m->first] = 0;
	return 0;
}

struct selftest_memory selftest_model_memory(struct selftest_model *m)
{
	return (struct selftest_memory){.first = m->first,
					.last = m->last,
					.write = memory_write,
					.read = memory_read,
					.userdata = m};
}

struct selftest_device selftest_model_device(struct selftest_model *m)
{
	return (struct selftest_device){.clear = device_clear, .userdata = m};
}

/* ---- its life ---------------------------------------------------------------------------------
 */

/* A sparse file: only lines that are written have memory. */
static int map_memory(struct selftest_model *m, struct error *e)
{
	const uint64_t bytes = m->last - m->first + 1;
	_cleanup_close_ int fd = memfd_create("cxl-spa-model", MFD_CLOEXEC);
	void *at;

	if (bytes > INT64_MAX)
		return error_set(e, EFBIG, "the region is too large for a model");
	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
		return error_set(e, errno, "a file of the size of the region cannot be made: %s",
				 strerror(errno));
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (at == MAP_FAILED)
		return error_set(e, errno, "a file of the size of the region cannot be mapped: %s",
				 strerror(errno));
	m->bytes = at;
	return 0;
}

int selftest_model_new(const char *text, size_t len, const struct memdev *const *devices, size_t n,
		       uint64_t first, uint64_t last, struct selftest_model **ret, struct error *e)
{
	struct selftest_model *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->first = first;
	m->last = last;
	r = rules_read(m, text, len, devices, n, e);
	if (r == 0)
		r = map_memory(m, e);
	if (r < 0)
		m = selftest_model_free(m);
	*ret = m;
	return r;
}

struct selftest_model *selftest_model_free(struct selftest_model *m)
{
	if (m && m->bytes)
		(void)munmap(m->bytes, m->last - m->first + 1);
	free(m);
	return NULL;
}
