// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The options of events that select some of them.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/event_list.h"
#include "common/names.h"
#include "cli/operands.h"
#include "common/strutil.h"
#include "events/event_extents.h"
#include "sysfs/memdev_operand.h"

static int read_memdev(const char *s, struct event_selection *ret, struct error *e)
{
	uint64_t value;
	int r;

	ret->memdev = s;
	if (!operand_is_memdev(s))
		return error_set(
			e, EINVAL,
			"--memdev '%.64s' is not a memory device: write memN, dddd:bb:dd.f, serial:NUMBER, or its Redfish Id cxl-...",
			s);
	r = operand_check_memdev(s, e);
	if (r == 0 && operand_serial(s, &value) == 0)
		ret->serial = OPT_U64(value);
	return r;
}

const char *event_severity_word(enum event_severity severity)
{
	static const char *const words[] = {"ok", "warning", "critical"};

	return words[severity];
}

/* ---- lists of words ---------------------------------------------------------------------------
 */

static const char *severity_at(unsigned int i)
{
	return i < EVENT_SEVERITIES ? event_severity_word(i) : NULL;
}

static const char *type_at(unsigned int i)
{
	return i < EVENT_TYPES ? event_type_name(i) : NULL;
}

/* Return: whether the @len bytes at @s are that word. */
static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(s, word, len) == 0;
}

/* "warning,critical". Return: a bit per word; 0 when one of them is not known. */
static unsigned int read_words(const char *s, const char *(*word_at)(unsigned int))
{
	unsigned int set = 0, i;

	do {
		const size_t len = strcspn(s, ",");

		for (i = 0; word_at(i) && !is_word(s, len, word_at(i)); i++)
			;
		if (!word_at(i))
			return 0;
		set |= 1u << i;
		s += len;
	} while (*s++);
	return set;
}

static int read_set(const char *option, const char *s, const char *(*word_at)(unsigned int),
		    unsigned int *ret, struct error *e)
{
	char words[ERROR_TEXT_MAX / 2] = "";
	size_t n = 0;

	*ret = read_words(s, word_at);
	if (*ret)
		return 0;
	for (unsigned int i = 0; word_at(i) && n < sizeof(words); i++)
		n += (size_t)snprintf(words + n, sizeof(words) - n, "%s%s", i ? ", " : "",
				      word_at(i));
	return error_set(e, EINVAL,
			 "%s '%.64s': write one or more of these, with commas between: %s", option,
			 s, words);
}

static int read_region(const char *s, struct event_selection *ret, struct error *e)
{
	const char *number = str_after_prefix(s, "region");

	ret->region = s;
	if (number && *number && !number[strspn(number, "0123456789")])
		return 0;
	return error_set(e, EINVAL, "--region '%.64s' is not a region: write regionN", s);
}

static int read_range(const char *s, bool *ret_has, uint64_t *ret_first, uint64_t *ret_last,
		      struct error *e)
{
	struct address_range range = {0};
	const int r = operand_address(s, &range, e);

	*ret_has = true;
	*ret_first = range.first;
	*ret_last = range.last;
	return r;
}

static int read_times(const struct event_options *o, struct event_selection *ret, struct error *e)
{
	if (o->since.present)
		ret->since = OPT_U64(o->since.first_ns);
	if (o->until.present)
		ret->until = OPT_U64(o->until.last_ns);
	if (o->since.present && o->until.present && o->since.first_ns > o->until.last_ns)
		return error_set(e, EINVAL, "--since is a later time than --until");
	return 0;
}

int event_selection_read(const struct event_options *o, struct event_selection *ret,
			 struct error *e)
{
	int r;

	*ret = (struct event_selection){0};
	r = read_times(o, ret, e);
	if (r == 0 && o->severity)
		r = read_set("--severity", o->severity, severity_at, &ret->severities, e);
	if (r == 0 && o->type)
		r = read_set("--type", o->type, type_at, &ret->types, e);
	if (r == 0 && o->memdev)
		r = read_memdev(o->memdev, ret, e);
	if (r == 0 && o->region)
		r = read_region(o->region, ret, e);
	if (r == 0 && o->dpa)
		r = read_range(o->dpa, &ret->has_dpa, &ret->dpa_first, &ret->dpa_last, e);
	if (r == 0 && o->spa)
		r = read_range(o->spa, &ret->has_spa, &ret->spa_first, &ret->spa_last, e);
	return r;
}

struct event_filter event_selection_filter(const struct event_selection *c)
{
	return (struct event_filter){
		.severities = c->severities,
		.types = c->types,
		.created_first = c->since,
		.created_last = c->until,
		.has_spa = c->has_spa,
		.spa_first = c->spa_first,
		.spa_last = c->spa_last,
	};
}

/* memN and PCI addresses are those of the record, which may have changed since. */
static bool event_is_of_memdev(const struct event_selection *c, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	const struct opt_u64 serial = event_number(rec, FIELD_SERIAL);

	if (c->serial.present)
		return opt_u64_is(serial, c->serial.value);
	return str_equal(c->memdev, ev->device) || str_equal(c->memdev, rec->memdev) ||
	       strcasecmp(c->memdev, rec->host) == 0;
}

static bool event_is_of_region(const struct event_selection *c, const struct stored_event *ev)
{
	return str_equal(c->region, ev->answer.region) || str_equal(c->region, ev->record.region);
}

static bool event_has_dpa(const struct event_selection *c, const struct event_record *rec)
{
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);
	const uint64_t last = event_dpa_last(dpa.value, event_number(rec, FIELD_DPA_LENGTH).value);

	return dpa.present && dpa.value <= c->dpa_last && last >= c->dpa_first;
}

bool event_is_selected(const struct event_selection *c, const struct stored_event *ev,
		       struct event_names_seen *seen)
{
	const struct opt_u64 time = event_created(&ev->record);
	const bool of_memdev = c->memdev && event_is_of_memdev(c, ev);
	const bool of_region = c->region && event_is_of_region(c, ev);

	seen->memdev |= of_memdev;
	seen->region |= of_region;
	if ((c->memdev && !of_memdev) || (c->region && !of_region))
		return false;
	if (c->severities && !(c->severities >> ev->severity & 1))
		return false;
	if (c->types && !(c->types >> ev->record.type & 1))
		return false;
	if (c->since.present && (!time.present || time.value < c->since.value))
		return false;
	if (c->until.present && (!time.present || time.value > c->until.value))
		return false;
	if (c->has_spa && !event_touches(ev, c->spa_first, c->spa_last))
		return false;
	return !c->has_dpa || event_has_dpa(c, &ev->record);
}

int event_selection_check(const struct event_selection *c, const struct event_names_seen *seen,
			  const struct host *host, struct error *e)
{
	static const struct host none;
	const struct memdev *memdev;
	struct names regions = {0};
	bool known = seen->region;
	int r = 0;

	if (c->memdev && !seen->memdev)
		r = operand_memdev(host ? host : &none, c->memdev, &memdev, e);
	if (r == -EEXIST) /* it has several devices: they are known */
		r = 0;
	if (r < 0) {
		error_prefix(e, "--memdev");
		return r;
	}
	for (size_t i = 0; host && i < host->n_regions; i++) {
		names_add(&regions, "%s", host->regions[i]->name);
		known |= c->region && str_equal(host->regions[i]->name, c->region);
	}
	if (!c->region || known)
		return 0;
	return error_set(e, ENODEV, "--region: %.64s: no such region; this host has %s", c->region,
			 regions.shown ? names_end(&regions) : "none");
}
