// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints docs/mapping.md from the table that the service works by. */
#include <stdio.h>

#include "redfish/resources/dsp0288.h"

static const char opening[] =
	"<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->\n"
	"<!-- Printed from redfish/dsp0288.c by `make update-mapping`; edit that. -->\n"
	"# CXL commands and Redfish properties\n"
	"\n"
	"Table 1 of DMTF's DSP0288 1.2.0 says which field of which CXL command is which Redfish "
	"property. This is what\n"
	"cxl-redfishd makes of each of its rows. Resources and properties are named as in the "
	"published schemas; where the\n"
	"table prints them otherwise, the note says so.\n"
	"\n"
	"## Shown\n"
	"\n"
	"A property is there when the device said it, and absent when it did not. `ioctl` is "
	"CXL_MEM_SEND_COMMAND on\n"
	"/dev/cxl/memN with the CXL_MEM_COMMAND_ID_ of that name, on a timer and never in a "
	"request; memN/ is in\n"
	"/sys/bus/cxl/devices.\n"
	"\n"
	"| row | CXL command | field | resource | property | Linux source | note |\n"
	"|---|---|---|---|---|---|---|\n";

static const char absent[] =
	"\n"
	"## Absent\n"
	"\n"
	"Some rows come later. Others Linux refuses to a program; they are absent rather than "
	"null.\n"
	"\n"
	"| row | CXL command | field | resource | property | state | reason |\n"
	"|---|---|---|---|---|---|---|\n";

static const char closing[] =
	"\n"
	"Table 2 is for fabric managers: its commands go to switches, and to the side of a device "
	"that a host does not see.\n";

static void print_row(const struct dsp0288_row *r)
{
	(void)printf("| %u | %s (%04Xh) | %s | %s | %s ", r->number, r->command, r->opcode,
		     r->field, r->resource, r->property);
	if (r->state == DSP0288_SHOWN)
		(void)printf("| %s | %s |\n", r->source, r->note ? r->note : "");
	else
		(void)printf("| %s | %s |\n", dsp0288_state_name(r->state), r->source);
}

int main(void)
{
	const struct dsp0288_row *rows;
	size_t n;

	rows = dsp0288_rows(&n);
	(void)fputs(opening, stdout);
	for (size_t i = 0; i < n; i++)
		if (rows[i].state == DSP0288_SHOWN)
			print_row(&rows[i]);
	(void)fputs(absent, stdout);
	for (size_t i = 0; i < n; i++)
		if (rows[i].state != DSP0288_SHOWN)
			print_row(&rows[i]);
	(void)fputs(closing, stdout);
	return ferror(stdout) || fclose(stdout) != 0;
}
