/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DSP0288_H
#define CXLR_REDFISH_RESOURCES_DSP0288_H

/*
 * DSP0288 1.2.0, table 1: which field of which CXL command is which Redfish property, and whether
 * this service shows it.
 *
 * Renderers write numbers and flags directly by this table; docs/mapping.md is printed from it;
 * tests compare every row with the served resources. All of it is constant.
 */

#include <stddef.h>

#include "common/json_writer.h"
#include "mailbox/mailbox.h"

enum dsp0288_state {
	DSP0288_SHOWN,
	DSP0288_REFUSED, /* absent: Linux does not allow programs to send the command */
};

enum dsp0288_kind { DSP0288_BY_HAND, DSP0288_NUMBER, DSP0288_FLAG };

struct dsp0288_row {
	unsigned int number; /* counted from 1, as in the table */
	unsigned int opcode;
	const char *command, *field;
	const char *resource; /* "Memory" */
	const char *property; /* below it, by the published schema: "CXL/LabelStorageSizeBytes" */
	enum dsp0288_state state;
	const char *source; /* in Linux; when it is absent, the reason */
	const char *note;   /* shown: where table and schema differ, what else is to know, NULL */
	enum dsp0288_kind kind;
	size_t offset; /* into struct mailbox, when it is not by hand */
};

const struct dsp0288_row *dsp0288_rows(size_t *ret_n);

/* Return: the name of the state, one word. */
const char *dsp0288_state_name(enum dsp0288_state state);

/*
 * put_dsp0288() - the numbers and flags that the table has for one object of a resource
 * @resource: its schema, "PCIeDevice"
 * @object: the object they stand in, "CXLDevice"; NULL for the resource itself
 *
 * Values that the device did not report are left out. The caller opens and closes the object.
 */
void put_dsp0288(struct json_writer *w, const char *resource, const char *object,
		 const struct mailbox *mb);

#endif
