/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_AUDIT_SOURCES_H
#define CXLR_REDFISH_AUDIT_SOURCES_H

/*
 * Logins of the same account from the same address, counted for a time instead of recorded one by
 * one. Belongs to the audit log, under its lock.
 */

#include <stdbool.h>
#include <stdint.h>

#include "redfish/core/principal.h"

enum { AUDIT_SOURCES_MAX = 64 };

struct audit_source {
	bool used;
	uint64_t hash;
	char user[PRINCIPAL_NAME_MAX], from[PRINCIPAL_FROM_MAX];
	uint64_t due_ms; /* when its count becomes a record, as clock_monotonic_ms() */
	uint64_t n;	 /* since the last record */
};

struct audit_sources {
	bool replaces; /* a new one takes the slot of another; otherwise it is one of `others` */
	struct audit_source slots[AUDIT_SOURCES_MAX];
	struct audit_source others; /* of all for which there was no slot */
};

/*
 * audit_sources_count() - count a login
 * @for_ms: how long further ones are only counted
 * @ret: of the slot; its texts are those of the record to be made
 *
 * Return: whether this one is to be recorded at once: the first of its slot.
 */
bool audit_sources_count(struct audit_sources *s, const char *user, const char *from,
			 uint64_t now_ms, uint64_t for_ms, struct audit_source **ret);

/*
 * audit_sources_due() - a slot whose time is over, which becomes free
 * @ret: a copy, if it has a count
 *
 * Return: whether there is one with a count; call again then.
 */
bool audit_sources_due(struct audit_sources *s, uint64_t now_ms, struct audit_source *ret);

/* Return: when the first of the slots that have a count is due; UINT64_MAX none. */
uint64_t audit_sources_next(const struct audit_sources *s);

#endif
