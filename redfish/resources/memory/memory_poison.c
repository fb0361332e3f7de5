// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Poison of a memory device is injected and cleared: CXLHostMemory.InjectPoison and ClearPoison,
// and the standard's InjectPersistentPoison. The kernel takes DPAs; an SPA is translated here
// first, and used only if the answer is exact.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/partitions.h"
#include "prm/translate.h"
#include "redfish/core/resource_index.h"
#include "redfish/resources/body_check.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/rows.h"
#include "redfish/core/uris.h"

#define DPA	     "DevicePhysicalAddress"
#define SPA	     "SystemPhysicalAddress"
#define STANDARD_DPA "PhysicalAddress" /* of the standard's action */
#define LENGTH	     "LengthBytes"
#define PATTERN	     "^(0|0x[0-9a-fA-F]{1,16})$"

static bool is_standard(const struct exchange *x)
{
	return x->resource->action->standard;
}

static enum change_kind kind_of(const struct exchange *x)
{
	return str_equal(x->resource->action->name, "CXLHostMemory.ClearPoison")
		       ? CHANGE_POISON_CLEAR
		       : CHANGE_POISON_INJECT;
}

const char *poison_unchangeable(const struct view *v, const struct resource *r)
{
	(void)r;
	return host_unchangeable(v, ALLOW_POISON);
}

/* ---- addresses --------------------------------------------------------------------------------
 */

/* Return: whether the parameter is an address; otherwise that is noted. */
static bool read_address(struct exchange *x, const char *name, uint64_t *ret)
{
	if (parse_address(body_text(x, name), ret) == 0)
		return true;
	body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, name,
		  json_object_get(x->body, name));
	return false;
}

/* Notes why an answer does not name one address of this device. */
static void refuse_answer(struct exchange *x, uint64_t spa, const struct answer *a)
{
	const struct memdev *m = x->resource->object;

	if (a->not_queried)
		memory_note(
			x, SPA, 409,
			"only firmware knows where SPA 0x%" PRIx64
			" is: translate it by the action CXLHostComputerSystem.TranslateSPA, and give the DPA",
			spa);
	else if (a->has_dpa && a->exact && a->memdev)
		memory_note(x, SPA, 400, "SPA 0x%" PRIx64 " is in %s, not in %s", spa,
			    a->memdev->name, m->name);
	else
		memory_note(x, SPA, 409, "SPA 0x%" PRIx64 " has no exact DPA: %s", spa,
			    a->reason[0] ? a->reason : "nothing maps it");
}

static bool translate_line(struct exchange *x, uint64_t spa, uint64_t *ret)
{
	struct answers out = {0};
	bool found = false;
	int r = translate_spa(x->view->translator, spa, spa, &out);

	if (r == 0 && out.n == 1) {
		const struct answer *a = &out.items[0];

		found = a->exact && a->has_dpa && a->memdev == x->resource->object;
		*ret = a->dpa;
		if (!found)
			refuse_answer(x, spa, a);
	} else {
		memory_note(x, SPA, 500, "SPA 0x%" PRIx64 " could not be translated", spa);
	}
	answers_done(&out);
	return found;
}

/* Notes a line that is not one of the device. Return: whether it is. */
static bool check_range(struct exchange *x, const char *name, uint64_t dpa, uint64_t length)
{
	const struct memdev *m = x->resource->object;
	const struct opt_u64 capacity = memdev_capacity(m);

	if (dpa % CHANGE_POISON_LINE != 0) {
		memory_note(x, name, 400,
			    "poison is of lines of %d bytes, and 0x%" PRIx64
			    " is not the start of one",
			    CHANGE_POISON_LINE, dpa);
		return false;
	}
	if (!capacity.present || (length <= capacity.value && dpa <= capacity.value - length))
		return true;
	memory_note(x, name, 400,
		    "%" PRIu64 " bytes from DPA 0x%" PRIx64
		    " on are beyond its capacity of 0x%" PRIx64,
		    length, dpa, capacity.value);
	return false;
}

/* The standard's action is for persistent memory only. */
static void check_persistent(struct exchange *x, uint64_t dpa)
{
	const struct memdev *m = x->resource->object;

	if (!m->ram_size.present || !m->pmem_size.present)
		memory_note(x, STANDARD_DPA, 409, "which of its memory is persistent is not known");
	else if (dpa < m->ram_size.value)
		memory_note(x, STANDARD_DPA, 400,
			    "DPA 0x%" PRIx64
			    " is volatile memory: persistent is what follows 0x%" PRIx64
			    "; CXLHostMemory.InjectPoison takes both",
			    dpa, m->ram_size.value);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

static const struct body_property parameters[] = {
	{.name = DPA, .kind = BODY_TEXT},
	{.name = SPA, .kind = BODY_TEXT},
	{.name = LENGTH, .kind = BODY_NUMBER, .min = CHANGE_POISON_LINE, .max = CHANGE_POISON_MAX},
};

static const struct body_property standard_parameters[] = {
	{.name = STANDARD_DPA, .kind = BODY_TEXT, .required = true},
};

static uint64_t read_length(struct exchange *x)
{
	const struct opt_u64 given = body_number(x, LENGTH);

	if (!given.present)
		return CHANGE_POISON_LINE;
	if (given.value % CHANGE_POISON_LINE != 0)
		memory_note(x, LENGTH, 400,
			    "poison is of lines of %d bytes, and %" PRIu64 " is no multiple of it",
			    CHANGE_POISON_LINE, given.value);
	/* Lines that follow each other in the SPAs of a region are lines of several devices. */
	else if (given.value > CHANGE_POISON_LINE && body_text(x, SPA))
		memory_note(x, LENGTH, 400,
			    "an SPA is one line: give the DPA for a range of the device");
	return given.value;
}

static void read_standard(struct exchange *x, struct change_poison *to)
{
	uint64_t dpa;

	if (!read_address(x, STANDARD_DPA, &dpa) ||
	    !check_range(x, STANDARD_DPA, dpa, CHANGE_POISON_LINE))
		return;
	check_persistent(x, dpa);
	*to = (struct change_poison){.address = dpa, .length = CHANGE_POISON_LINE};
}

static void read_parameters(struct exchange *x, struct change_poison *to)
{
	const bool by_spa = body_text(x, SPA);
	const char *name = by_spa ? SPA : DPA;
	uint64_t length, address;

	if (!body_text(x, name)) {
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, DPA, NULL);
		return;
	}
	if (by_spa && body_text(x, DPA)) {
		memory_note(x, SPA, 400, "two addresses were given: give " DPA " or " SPA);
		return;
	}
	length = read_length(x);
	if (exchange_noted(x) < 0 || !read_address(x, name, &address) ||
	    (by_spa && !translate_line(x, address, &address)) ||
	    !check_range(x, name, address, length))
		return;
	*to = (struct change_poison){.address = address, .length = length};
}

static int check_parameters(struct exchange *x)
{
	int r = is_standard(x) ? body_check(x, standard_parameters, ARRAY_SIZE(standard_parameters))
			       : body_check(x, parameters, ARRAY_SIZE(parameters));

	return r == 0 ? exchange_noted(x) : r;
}

int run_poison_action(struct exchange *x)
{
	struct change c;
	int r = check_parameters(x);

	if (r < 0)
		return r;
	host_change_of_memdev(&c, kind_of(x), x->resource->object);
	if (is_standard(x))
		read_standard(x, &c.poison);
	else
		read_parameters(x, &c.poison);
	r = exchange_noted(x);
	return r < 0 ? r : memory_submit(x, &c, 1, NULL);
}

/* ---- ActionInfo -------------------------------------------------------------------------------
 */

static void put_address(const char *name, bool required, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "Name", name);
	put_bool(w, "Required", required);
	put_string(w, "DataType", "String");
	put_string(w, "AllowablePattern", PATTERN);
	put_end(w);
}

static void put_length(uint64_t min, uint64_t max, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "Name", LENGTH);
	put_bool(w, "Required", false);
	put_string(w, "DataType", "Number");
	put_number(w, "MinimumValue", min);
	put_number(w, "MaximumValue", max);
	put_end(w);
}

static void render_poison_info(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	const char *id = strrchr(r->type->pattern, '/') + 1;

	(void)v;
	put_format(w, "Name", "%.*s Action Info", (int)(strlen(id) - strlen("ActionInfo")), id);
	put_string(
		w, "Description",
		"Exactly one address must be given; lengths are multiples of 64 bytes and for DPAs only");
	put_array(w, "Parameters");
	put_address(DPA, false, w);
	put_address(SPA, false, w);
	put_length(CHANGE_POISON_LINE, CHANGE_POISON_MAX, w);
	put_end(w);
}

static void render_list_info(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "GetPoisonList Action Info");
	put_string(
		w, "Description",
		"At most one address can be given, with or without a length: the list then has the entries there only");
	put_array(w, "Parameters");
	put_address(DPA, false, w);
	put_address(SPA, false, w);
	put_length(1, INT64_MAX, w);
	put_end(w);
}

static void render_persistent_info(const struct view *v, const struct resource *r,
				   struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "InjectPersistentPoison Action Info");
	put_string(w, "Description", "The DPA of a line of 64 bytes of persistent memory");
	put_array(w, "Parameters");
	put_address(STANDARD_DPA, true, w);
	put_end(w);
}

/* They exist where the actions can be used. */
static int enumerate_infos(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	if (poison_unchangeable(v, NULL))
		return 0;
	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];

		r = resource_add(ix, t, m, (const char *const[]){view_memory_id(v, m)});
	}
	return r;
}

#define INFO(text, renderer)                                                                       \
	{                                                                                          \
		.pattern = URI_SYSTEM "/Memory/{Memory}/" text, SCHEMA("ActionInfo", "v1_5_0"),    \
		.enumerate = enumerate_infos, .render = (renderer),                                \
	}

static const struct resource_type poison_info_types[] = {
	INFO("Oem/CXLHost/InjectPoisonActionInfo", render_poison_info),
	INFO("Oem/CXLHost/ClearPoisonActionInfo", render_poison_info),
	INFO("Oem/CXLHost/GetPoisonListActionInfo", render_list_info),
	INFO("InjectPersistentPoisonActionInfo", render_persistent_info),
};

const struct resource_rows poison_info_rows = RESOURCE_ROWS(poison_info_types);
