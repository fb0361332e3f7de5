/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_IDENTITY_H
#define CXLR_EVENTS_STORE_IDENTITY_H

/*
 * The identity of an event, by which duplicates are detected.
 */

#include "events/store_tables.h"

/* Makes the bytes that identify an event, see store.h. Return: its length. */
size_t store_identity(const struct stored_event *event, uint8_t ret[static IDENTITY_MAX]);

#endif
