/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_INPUTS_H
#define CXLR_REDFISH_VIEW_INPUTS_H

/*
 * The inputs that a view is composed of.
 *
 * Each input has one producer, which replaces it as a whole. Values are immutable; those with
 * references are shared, the others are copied. A new input is a constant and a member here and a
 * row in view_inputs.c. A `struct view_inputs` itself belongs to one thread at a time; zeroed it
 * has no value of any input.
 */

#include <stdbool.h>

#include "common/cleanup.h"
#include "change/client.h"
#include "mailbox/readings.h"
#include "mailbox/switch_readings.h"
#include "model/event_health.h"
#include "model/recording_faults.h"
#include "model/service_faults.h"
#include "prm/firmware.h"
#include "prm/translate.h"
#include "sysfs/host.h"
#include "sysfs/memory_use.h"

enum view_input {
	VIEW_INPUT_TOPOLOGY, /* host and translator, always replaced together */
	VIEW_INPUT_FIRMWARE,
	VIEW_INPUT_READINGS,
	VIEW_INPUT_SWITCHES,
	VIEW_INPUT_EVENT_HEALTH,
	VIEW_INPUT_RECORDING_FAULTS,
	VIEW_INPUT_SERVICE_FAULTS,
	VIEW_INPUT_CHANGES_ALLOWED,
	VIEW_INPUT_MEMORY_USE,
	VIEW_INPUT_COUNT
};

/* In sets of inputs. */
#define VIEW_INPUT_BIT(input) (1U << (input))

struct view_inputs {
	const struct host *host;
	struct translator *translator;
	struct firmware_status firmware;	 /* the text is "" while it is not known */
	const struct readings *readings;	 /* NULL before devices were read */
	const struct switch_readings *switches;	 /* NULL without a switch's mailbox */
	const struct event_health *event_health; /* NULL without events */
	struct recording_faults recording_faults;
	struct service_faults service_faults;
	struct changes_allowed changes_allowed; /* zeros: nothing */
	const struct memory_use *memory_use;	/* NULL before it was read */
};

/* Replaces one input of @to by that of @from; takes and drops references. */
void view_inputs_set(struct view_inputs *to, const struct view_inputs *from, enum view_input input);

/* Return: whether views that differ only in this input have the same contents. */
bool view_inputs_equal(const struct view_inputs *a, const struct view_inputs *b,
		       enum view_input input);

/* Takes a reference on every value of @from; @to is overwritten. */
void view_inputs_copy(struct view_inputs *to, const struct view_inputs *from);

/* Drops all references; @in is zeroed. */
void view_inputs_done(struct view_inputs *in);

#define _cleanup_view_inputs_ _cleanup_(view_inputs_done)

#endif
