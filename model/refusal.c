// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The rules of Linux by version, levels, and the way out.
#include "model/refusal_private.h"

#include <stdio.h>

#include "common/array.h"
#include "common/opt.h"
#include "model/finding.h"
#include "model/topology.h"

/*
 * Each version that changed what is compared, and those that are asked for, with the commit of the
 * newest rule. docs/refusals.md has the same table, also with what is not compared.
 */
static const struct refusal_rules rules[] = {
	{6, 3, RULE_REGIONS},		 /* a32320b71f08 */
	{6, 6, RULE_PRODUCT},		 /* 18f35dc9314d */
	{6, 7, RULE_REGION_GRANULARITY}, /* 98a04c7aced2 */
	{6, 8, RULE_ANY_ORDER},		 /* cb66b1d60c28; 5c6224bfabbf: windows alone */
	{6, 9, RULE_ANY_ORDER},		 /* nothing */
	{6, 11, RULE_LISTED_TARGETS},	 /* 82a3e3a23563 */
	{6, 12, RULE_LISTED_TARGETS},	 /* 48f62d38a07d: what is probed first, no rule */
	{6, 16, RULE_ONE_WAY_ANY},	 /* cxl_port_setup_targets() */
	{7, 0, RULE_TRANSLATION},	 /* af74daf91652 */
	{7, 3, RULE_TRANSLATION},	 /* nothing, by the source of 7.3.4 */
};

const struct refusal_rules *refusal_newest_rules(void)
{
	return &rules[ARRAY_SIZE(rules) - 1];
}

const struct refusal_rules *refusal_rules_with(enum refusal_rule rule)
{
	const struct refusal_rules *r = rules;

	while (!refusal_has(r, rule))
		r++;
	return r;
}

struct refusal_era refusal_era(const struct host *host)
{
	const struct refusal_rules *newest = refusal_newest_rules();

	if (host_kernel_is(host, 6, 3) < 0)
		return (struct refusal_era){rules, newest, false};
	for (const struct refusal_rules *r = newest; r >= rules; r--)
		if (host_kernel_is(host, r->major, r->minor) == 1)
			return (struct refusal_era){r, r, false};
	return (struct refusal_era){newest, newest, true};
}

void refusal_add(struct refusal_builder *b, enum refusal_agreement agrees, const char *object,
		 const char *expected, const char *found, const char *difference)
{
	struct refusal_level *level;

	if (b->out->n == b->size)
		return;
	level = &b->out->levels[b->out->n++];
	*level = (struct refusal_level){
		.object = arena_strdup(b->arena, object),
		.expected = arena_strdup(b->arena, expected),
		.found = arena_strdup(b->arena, found),
		.agrees = agrees,
	};
	if (agrees == REFUSAL_DIFFERS && !b->out->first_difference) {
		b->out->first_difference = arena_strdup(b->arena, difference);
		b->no_memory = b->no_memory || !b->out->first_difference;
	}
	b->no_memory = b->no_memory || !level->object || !level->expected || !level->found;
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

bool refusal_lacks_regions(const struct decoder *w, bool pmem)
{
	const struct opt_bool makes = pmem ? w->makes_pmem : w->makes_ram;

	return makes.present && !makes.value && opt_bool_is_true(pmem ? w->cap_pmem : w->cap_ram);
}

void refusal_add_kernel(struct refusal_builder *b, const struct decoder *w, enum decoder_mode mode,
			const char *of)
{
	const struct host *host = b->host;
	const char *needed = host_kernel_is(host, 6, 3) == 1
				     ? "a kernel that is built with CONFIG_CXL_REGION"
				     : "Linux 6.3 or newer, built with CONFIG_CXL_REGION";
	const bool absent = w && refusal_lacks_regions(w, mode == DECODER_MODE_PMEM);
	char name[REFUSAL_TEXT], found[REFUSAL_TEXT], difference[4 * REFUSAL_TEXT];

	if (host_has_made_regions(host, mode))
		return;
	/* A distribution's kernel of an older version can have what 6.3 has. */
	if (!absent && (!b->era.too_old || (w && opt_bool_is_true(w->makes_ram))))
		return;
	(void)snprintf(name, sizeof(name), "Linux%s%s", host->kernel_release ? " " : "",
		       host->kernel_release ? host->kernel_release : "");
	if (absent)
		(void)snprintf(found, sizeof(found), "%s has no create_%s_region", w->name,
			       decoder_mode_name(mode));
	else
		(void)snprintf(found, sizeof(found), "it is older than 6.3");
	(void)snprintf(difference, sizeof(difference),
		       "%s makes no regions%s: %s, and that needs %s", name, of, found, needed);
	b->out->no_regions = true;
	b->out->newer = needed;
	refusal_add(b, REFUSAL_DIFFERS, name, needed, found, difference);
}

/* ---- the way out ------------------------------------------------------------------------------
 */

const char *refusal_way_out_name(enum refusal_way_out way)
{
	static const char *const names[] = {"none", "attach", "reboot", "firmware", "newer kernel"};

	return names[way];
}

const char *refusal_advice(const struct refusal *refusal, struct arena *arena)
{
	if (refusal->remedy)
		return refusal->remedy;
	switch (refusal->way_out) {
	case WAY_OUT_NONE:
		return refusal->windows ? "look for CFMWS and cxl_acpi in the kernel's log" : NULL;
	case WAY_OUT_ATTACH:
		return "attach the devices that are missing, as the next steps say";
	case WAY_OUT_REBOOT:
		return finding_row(FINDING_REGION_REBOOT)->text;
	case WAY_OUT_FIRMWARE:
		return refusal->windows
			       ? "ask the machine's vendor for firmware with a correct table CEDT"
			       : finding_row(FINDING_REGION_CHANGE_FIRMWARE)->text;
	case WAY_OUT_KERNEL:
		return arena_printf(arena, "boot %s", refusal->newer);
	}
	return NULL;
}
