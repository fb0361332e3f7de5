/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_DSP0288_FM_H
#define CXLR_REDFISH_RESOURCES_DSP0288_FM_H

/*
 * DSP0288 1.2.0, table 2: the rows of commands of fabric managers, from what their properties are
 * served: what the host sees, or the mailbox of a switch. docs/mapping.md is printed from it; a
 * test compares every row with the served resources. All of it is constant.
 */

#include <stddef.h>

enum { DSP0288_FM_ROWS = 33 }; /* of table 2 */

struct dsp0288_fm_row {
	unsigned int number; /* counted from 1, as in the table */
	unsigned int opcode;
	const char *command, *field;
	const char *resource, *property; /* by the published schema */
	const char *source;		 /* in Linux */
	const char *note;		 /* NULL: none */
};

const struct dsp0288_fm_row *dsp0288_fm_rows(size_t *ret_n);

/*
 * dsp0288_fm_tested_with() - what has answered the row's command in tests
 *
 * Return: "QEMU"; "model", that of tests/lib/switch_model.h and nothing else; "-" of a row that is
 * not served by the mailbox of a switch.
 */
const char *dsp0288_fm_tested_with(const struct dsp0288_fm_row *row);

#endif
