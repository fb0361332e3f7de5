// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints docs/mapping.md from the table that the service uses. */
#include <stdio.h>

#include "redfish/resources/dsp0288.h"
#include "redfish/resources/dsp0288_fm.h"

static const char opening[] =
	"<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->\n"
	"<!-- Generated from redfish/resources/dsp0288.c and dsp0288_fm.c by `make update-mapping`; edit those files. -->\n"
	"# CXL commands and Redfish properties\n"
	"\n"
	"Table 1 of DMTF's DSP0288 1.2.0 maps fields of CXL commands to Redfish properties. These are its rows, and how\n"
	"cxl-redfishd implements them. Resources and properties are named as in the published schemas; where Table 1 has\n"
	"another name, the note has it. The terms are explained in the [glossary](glossary.md).\n"
	"\n"
	"## Shown\n"
	"\n"
	"A property is absent when the device does not report it. `ioctl` is CXL_MEM_SEND_COMMAND on /dev/cxl/memN with the\n"
	"CXL_MEM_COMMAND_ID_ of that name, sent periodically and not for a request, unless it sets something; memN/ is in\n"
	"/sys/bus/cxl/devices.\n"
	"\n"
	"| row | CXL command | field | resource | property | Linux source | note |\n"
	"|---|---|---|---|---|---|---|\n";

static const char absent[] =
	"\n"
	"## Absent\n"
	"\n"
	"Linux does not offer commands with the state refused to programs. Their properties are absent, not null.\n"
	"\n"
	"| row | CXL command | field | resource | property | state | reason |\n"
	"|---|---|---|---|---|---|---|\n";

static const char fm_opening[] =
	"\n"
	"## Commands of fabric managers\n"
	"\n"
	"Table 2 maps commands that only a fabric manager sends, to switches and multi-logical devices. Their properties are\n"
	"served from what the host sees, whose names are those of sysfs, or by the mailbox of a switch (--switch-mailbox); what\n"
	"only the mailbox knows is absent without it. Where both know a value of a port, the mailbox's is shown, which is that of\n"
	"the physical port; where the host's is another one, it is in Oem/CXLHost/HostView.\n"
	"\n"
	"The last column has what answered the commands of a mailbox in tests: the switch that QEMU emulates, or only a model that\n"
	"answers byte by byte, because QEMU has no multi-logical devices, port control, or events of switches. VirtualCXLSwitch and\n"
	"VirtualPCI2PCIBridge have only the model, too; they show what Get Virtual CXL Switch Info (5200h) reports, which Table 2\n"
	"does not map.\n"
	"\n"
	"| row | CXL command | field | resource | property | Linux source | note | mailbox tested with |\n"
	"|---|---|---|---|---|---|---|---|\n";

static void print_fm_rows(void)
{
	const struct dsp0288_fm_row *rows;
	size_t n;

	rows = dsp0288_fm_rows(&n);
	for (size_t i = 0; i < n; i++)
		(void)printf("| %u | %s (%04Xh) | %s | %s | %s | %s | %s | %s |\n", rows[i].number,
			     rows[i].command, rows[i].opcode, rows[i].field, rows[i].resource,
			     rows[i].property, rows[i].source, rows[i].note ? rows[i].note : "",
			     dsp0288_fm_tested_with(&rows[i]));
}

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
	(void)fputs(fm_opening, stdout);
	print_fm_rows();
	return ferror(stdout) || fclose(stdout) != 0;
}
