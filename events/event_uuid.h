/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_UUID_H
#define CXLR_EVENTS_EVENT_UUID_H

/* UUIDs as sysfs shows them. Pure function, any thread. */

#include <stdbool.h>
#include <stdint.h>

#include "events/stored_event.h"

/* Return: whether @text is a UUID as sysfs shows them, and not all zeros. */
bool event_uuid_parse(const char *text, uint8_t ret[static EVENT_UUID_SIZE]);

#endif
