// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Poison of a memory device is injected and cleared: CXLHostMemory.InjectPoison and ClearPoison,
// and the standard's InjectPersistentPoison. The kernel takes DPAs; an SPA is translated here
// first, and used only if the answer is exact.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "prm/translate.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/memory/memory_operations.h"

#define DPA	     "DevicePhysicalAddress"
#define SPA	     "SystemPhysicalAddress"
#define STANDARD_DPA "PhysicalAddress" /* of the standard's action */
#define LENGTH	     "LengthBytes"

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

/* Notes poison that cannot be changed. Return: whether it can. */
static bool check_range(struct exchange *x, const char *name, uint64_t dpa, uint64_t length)
{
	struct error e = {0};

	if (memdev_check_poison(x->resource->object, dpa, length, &e) == 0)
		return true;
	memory_note_error(x, name, &e);
	return false;
}

/* The standard's action is for persistent memory only; of a DPA that is in the device, so that the
 * sizes of both kinds are known. */
static void check_persistent(struct exchange *x, uint64_t dpa)
{
	const struct memdev *m = x->resource->object;

	if (dpa < m->ram_size.value)
		memory_note(x, STANDARD_DPA, 400,
			    "DPA 0x%" PRIx64
			    " is volatile memory: persistent is what follows 0x%" PRIx64
			    "; CXLHostMemory.InjectPoison takes both",
			    dpa, m->ram_size.value);
	else if (m->n_named && dpa - m->ram_size.value >= m->pmem_size.value)
		memory_note(x, STANDARD_DPA, 400,
			    "DPA 0x%" PRIx64
			    " is behind the persistent memory, which ends before 0x%" PRIx64
			    "; CXLHostMemory.InjectPoison takes other memory",
			    dpa, m->ram_size.value + m->pmem_size.value);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

static const struct parameter poison_rows[] = {
	{.name = DPA, .type = PARAMETER_TEXT, PARAMETER_ADDRESS},
	{.name = SPA,
	 .type = PARAMETER_TEXT,
	 PARAMETER_ADDRESS,
	 .description = "translated first, and used only if the answer is exact"},
	{.name = LENGTH,
	 .type = PARAMETER_NUMBER,
	 .min = POISON_LINE,
	 .max = POISON_MAX,
	 .description = "64, if it is not given"},
};

const struct parameters poison_parameters = {
	PARAMETER_ROWS(poison_rows),
	.description =
		"Exactly one address must be given; lengths are multiples of 64 bytes and for DPAs only"};

static const struct parameter persistent_rows[] = {
	{.name = STANDARD_DPA, .type = PARAMETER_TEXT, .required = true, PARAMETER_ADDRESS},
};

const struct parameters persistent_poison_parameters = {
	PARAMETER_ROWS(persistent_rows),
	.description = "The DPA of a line of 64 bytes of persistent memory"};

static uint64_t read_length(struct exchange *x)
{
	const struct opt_u64 given = body_number(x, LENGTH);
	struct error e = {0};

	if (!given.present)
		return POISON_LINE;
	if (poison_check_lines(0, given.value, &e) < 0)
		memory_note_error(x, LENGTH, &e);
	/* Lines that follow each other in the SPAs of a region are lines of several devices. */
	else if (given.value > POISON_LINE && body_text(x, SPA))
		memory_note(x, LENGTH, 400,
			    "an SPA is one line: give the DPA for a range of the device");
	return given.value;
}

static void read_standard(struct exchange *x, struct change_poison *to)
{
	uint64_t dpa;

	if (parse_address(body_text(x, STANDARD_DPA), &dpa) < 0 ||
	    !check_range(x, STANDARD_DPA, dpa, POISON_LINE))
		return;
	check_persistent(x, dpa);
	*to = (struct change_poison){.address = dpa, .length = POISON_LINE};
}

static void read_parameters(struct exchange *x, struct change_poison *to)
{
	const bool by_spa = body_text(x, SPA);
	const char *name = by_spa ? SPA : DPA;
	uint64_t length, address;

	if (!body_text(x, name)) {
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, DPA);
		return;
	}
	if (by_spa && body_text(x, DPA)) {
		memory_note(x, SPA, 400, "two addresses were given: give " DPA " or " SPA);
		return;
	}
	length = read_length(x);
	if (exchange_noted(x) < 0 || parse_address(body_text(x, name), &address) < 0 ||
	    (by_spa && !translate_line(x, address, &address)) ||
	    !check_range(x, name, address, length))
		return;
	*to = (struct change_poison){.address = address, .length = length};
}

int run_poison_action(struct exchange *x)
{
	struct change c;
	int r;

	change_of_memdev(&c, kind_of(x), x->resource->object);
	if (is_standard(x))
		read_standard(x, &c.poison);
	else
		read_parameters(x, &c.poison);
	r = exchange_noted(x);
	return r < 0 ? r : memory_submit(x, &c, 1, NULL);
}
