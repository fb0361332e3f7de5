/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_HANDLER_RULES_H
#define CXLR_PRM_HANDLER_RULES_H

/* Rules that stand for a captured host's handler. Private to prm/. */

#include "common/error.h"
#include "prm/handler_types.h"

/* Return: 0; -EINVAL with @e for a malformed file; -ENOMEM. */
int handler_parse_rules(struct translator *t, struct handler *h, const char *text, size_t len,
			struct error *e);

/* Drops what is rejected and sorts the rest. Return: 0 or -ENOMEM. */
int handler_index_rules(struct translator *t, struct handler *h);

/*
 * Return: whether the decoder's addresses are those of its device's rule, which is of Normalized
 * addressing: an ordinary region may have the device at another position.
 */
bool rule_applies_to(const struct decoder_map *dm);

/* Return: the rule's SPA of a DPA below its dpa_size. */
uint64_t rule_to_spa(const struct handler_rule *r, uint64_t dpa);

#endif
