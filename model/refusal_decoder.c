// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Normalized decoders, whose addresses are in no window: only firmware can translate them.
#include <errno.h>
#include <stdio.h>

#include "common/quantity.h"
#include "model/refusal_private.h"
#include "prm/decoder_mapping.h"

/* The handler is needed by any Linux, and used by none before 7.0. */
static void set_way_out(struct refusal *ret, const struct refusal_era *era)
{
	if (refusal_has(era->last, RULE_TRANSLATION)) {
		ret->way_out = WAY_OUT_FIRMWARE;
		ret->remedy =
			"use firmware with the PRM handler of CXL (ACPI table PRMT), and a kernel that is built with CONFIG_CXL_ATL";
		return;
	}
	ret->way_out = WAY_OUT_KERNEL;
	ret->newer =
		"Linux 7.0 or newer, built with CONFIG_CXL_ATL, with firmware that has the PRM handler";
}

int refusal_of_decoder(const struct host *host, const struct decoder *d, struct arena *arena,
		       struct refusal *ret)
{
	static const char expected[] =
		"system addresses inside a window, or, since 7.0, a PRM handler that translates,";
	struct refusal_builder b = {host, arena, ret, refusal_era(host), 1, false};
	char found[REFUSAL_TEXT], range[RANGE_TEXT_MAX], difference[3 * REFUSAL_TEXT];

	*ret = (struct refusal){0};
	if (d->port->kind != PORT_ENDPOINT || d->region || decoder_mapping(d) != MAPPING_NORMALIZED)
		return 0;
	ret->levels = ARENA_ARRAY(arena, 1, struct refusal_level);
	if (!ret->levels)
		return -ENOMEM;
	(void)snprintf(found, sizeof(found), "the device addresses %s",
		       range_text(d->start, d->size, range));
	(void)snprintf(difference, sizeof(difference),
		       "%s: Linux expects %s here, firmware programmed %s", d->name, expected,
		       found);
	refusal_add(&b, REFUSAL_DIFFERS, d->name, expected, found, difference);
	set_way_out(ret, &b.era);
	return b.no_memory ? -ENOMEM : 0;
}
