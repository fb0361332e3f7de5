// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa: the tables of subcommands and options, help, and the exit status.
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/operands.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "common/array.h"
#include "common/log.h"
#include "common/options.h"
#include "common/strutil.h"
#include "mailbox/switch_options.h"
#include "prm/verify.h"

/* One bit for each subcommand: which of them takes an option. */
enum {
	TRANSLATE = 1 << 0,
	LIST = 1 << 1,
	EXPLAIN = 1 << 2,
	GRAPH = 1 << 3,
	EVENTS = 1 << 4,
	CAPTURE = 1 << 5,
	REGION = 1 << 6,
	ONLINE = 1 << 7,
	OFFLINE = 1 << 8,
	PAGE = 1 << 9,
	REPAIR = 1 << 10,
	HEALTH = 1 << 16,
	MAP = 1 << 17,
	TRIAGE = 1 << 18,
	TARGETS = 1 << 19,
	VERIFY = 1 << 20,
	SHOW = TRANSLATE | LIST | EXPLAIN | EVENTS,
	HAVE_JSON =
		SHOW | HEALTH | MAP | TRIAGE | REGION | ONLINE | OFFLINE | PAGE | VERIFY | REPAIR,
	HAVE_TABLES = SHOW | GRAPH | MAP | TRIAGE | PAGE | VERIFY,
	HAVE_HOST = HAVE_TABLES | REGION | HEALTH,
};

struct command {
	unsigned int bit;
	const char *name;
	const char *operands; /* for the usage line */
	const char *summary;
	const char *help;
	const char *status_ok, *status_partial; /* NULL: "success"; does not occur */
	/* NULL: wrong usage, and what all others have; does not occur, and is not for wrong usage.
	 */
	const char *status_error, *status_unknown;
	int min_operands, max_operands; /* a negative maximum is none */
	int (*run)(struct cli *cli, int n, char **operands);
};

static const char page_help[] =
	"ADDRESS is as of translate, but no range: a DPA with MEMDEV, an SPA without, or a page frame pfn:0x...; '-' reads them from standard input. show prints the memory block of the page, its kind, the cgroup that it is charged to, and the effect of an uncorrectable access there, at one moment.\n"
	"\n"
	"offline has the kernel move the contents of the page elsewhere, and use it no more; only pages of programs and files, and free ones. online brings it back. Both require root; what becomes of each page is read back from the kernel.\n"
	"\n"
	"The service remembers the pages that are taken out, and takes them out again after a boot. list shows them, export writes them as JSON, and import adds those of such a FILE, or of standard input for '-'.\n";

static const char verify_help[] =
	"Firmware is queried for addresses of each decoder that uses Normalized addressing, twice on a live host. Its answers are compared with the interleave ways and granularity that the kernel shows, and with themselves.\n"
	"\n"
	"With --inject REGION the devices prove where their addresses are. Markers are written to system addresses of a region that nothing uses, the device zeroes the line at the DPA that was computed for each (Clear Poison), and exactly that line has to be zero. Where another one is, it is found, and the first address bit that differs is named. It requires root and --force. The report can be sent to the vendor of the platform.\n";

static const struct command
	commands
		[] =
			{
				{
					.bit = TRANSLATE,
					.name = "translate",
					.operands = "[MEMDEV] ADDRESS...",
					.summary =
						"translate device addresses to system addresses, and back",
					.help = "With MEMDEV (memN, a PCI address dddd:bb:dd.f, serial:NUMBER, or its Redfish Id cxl-...) the addresses are device physical addresses (DPA) of that memory device; without it they are system physical addresses (SPA).\n"
						"\n"
						"ADDRESS is 0x and hexadecimal digits, or 0. START-END is a range that includes both ends. '-' reads addresses from standard input, one per line.\n"
						"\n"
						"With --trace FILE each report of an error that has an address (memdev=mem2 ... dpa=1000, Memory failure: 0x110008: ...) is answered, with the reason where it cannot be read or a part is missing; other lines are skipped. FILE may also be such a line itself, in quotes: text with white space that is no file's name.\n",
					.status_ok = "all answers are exact",
					.status_partial = "an answer is an interval or missing",
					.min_operands = 1,
					.max_operands = -1,
					.run = command_translate,
				},
				{
					.bit = LIST,
					.name = "list",
					.operands = "[host|OBJECT]",
					.summary =
						"show windows, regions, ports, switches, memory devices and dax devices",
					.help = "Shows all CXL objects of the host as a tree, as with host, or the object with that name and what is below it; with the mailbox of a switch, its physical ports, virtual switches and logical devices, too.\n",
					.max_operands = 1,
					.run = command_list,
				},
				{
					.bit = EXPLAIN,
					.name = "explain",
					.operands = "[host|OBJECT|START-END]",
					.summary = "explain what is mapped, what is not, and why",
					.help = "OBJECT is any name that list shows: a region, decoder, port or dax device, a PCI address dddd:bb:dd.f, a memory device (memN, serial:NUMBER, or its Redfish Id cxl-...), or a switch and what is below it. START-END is a range of system addresses, each with 0x, whose owners are printed. Without it, or with host, the whole host is explained. The first line is the verdict.\n",
					.status_ok =
						"success; without --check also when there are problems",
					.status_partial = "with --check: there is a problem",
					.max_operands = 1,
					.run = command_explain,
				},
				{
					.bit = GRAPH,
					.name = "graph",
					.operands = "",
					.summary = "print the topology as a Graphviz graph",
					.help = "The colour of a node is its state, which is also a line of its label. With --svg it is a picture, otherwise draw it with: cxl-spa graph | dot -Tsvg > cxl.svg\n",
					.max_operands = 0,
					.run = command_graph,
				},
				{
					.bit = MAP,
					.name = "map",
					.operands = "REGION",
					.summary =
						"draw how the addresses of a region are interleaved over its devices",
					.help = "Window, ways and granularity of the region, the device at each position, and the first chunks of its system addresses in their order, each with the position that has it; '?' where that is not exactly known, with the reason.\n",
					.status_ok =
						"the device of each chunk that is shown is known",
					.status_partial =
						"that of a chunk is not known, or the region has no addresses",
					.min_operands = 1,
					.max_operands = 1,
					.run = command_map,
				},
				{
					.bit = EVENTS,
					.name = "events",
					.operands = "[ENTRY...]",
					.summary =
						"show the log of CXL events, each with its system address",
					.help = "Prints the entries that cxl-redfishd stored, or with --host the records of a captured host, in the order of their time. The addresses of the log were translated when the event was recorded.\n"
						"\n"
						"With --json each entry is one object on a line of its own.\n"
						"\n"
						"With --resolve, --resolve-incident or --acknowledge the service changes its log, and nothing is listed; requires root. ENTRY is a further entry for --resolve.\n",
					.status_ok = "success",
					.status_partial = "a change was not made",
					.max_operands = -1,
					.run = command_events,
				},
				{
					.bit = HEALTH,
					.name = "health",
					.operands = "",
					.summary =
						"say in one line whether the CXL memory is healthy, for monitoring",
					.help = "The health of all memory devices, as they report it and by their entries in the log of events that are not resolved, and of all regions; with --host, by the records of the captured host. The exit status is that of a plugin of Nagios.\n",
					.status_ok = "healthy",
					.status_partial = "WARNING",
					.status_error = "CRITICAL",
					.status_unknown =
						"UNKNOWN: a device does not report its health, there is no CXL memory, wrong usage, a host or log that cannot be read, or output that cannot be written",
					.max_operands = 0,
					.run = command_health,
				},
				{
					.bit = TRIAGE,
					.name = "triage",
					.operands = "[OBJECT|SPA|INCIDENT|FILE|-|TEXT]",
					.summary =
						"say what is wrong, where, how often, and what to do",
					.help = "Without operand: the open incidents of the host, the worst first, a line each, and then what to do about the worst. With an operand at most six lines for each: OBJECT is any name that list shows, SPA a system address with 0x or a range START-END, INCIDENT a number.\n"
						"\n"
						"Any other operand is a file, standard input for '-', or a text in quotes, in which reports of errors are looked for: traces of CXL events, their text by rasdaemon, ras-mc-ctl, cxl monitor and cxl list -L, CPER, EDAC, machine checks, memory failure, AER. Each is shown with the incident of the log that it belongs to.\n"
						"\n"
						"An incident is what belongs together of the log that cxl-redfishd keeps, or with --host of the records of a captured host.\n",
					.status_ok = "nothing is open",
					.status_partial =
						"something is open, or an error was recognised in the text",
					.max_operands = 1,
					.run = command_triage,
				},
				{
					.bit = TARGETS,
					.name = "targets",
					.operands = "[HOST:PORT...|-]",
					.summary =
						"print the targets of Prometheus for this host, or for a list of hosts",
					.help = "Prints a JSON file with one group of targets, as the file service discovery of Prometheus reads it: this host, by the key metrics of the configuration of cxl-redfishd, with the name of the host as the label instance; or the HOST:PORT that are given, or that standard input has for '-', one per line.\n",
					.status_ok = "success",
					.status_partial = "no metrics are configured on this host",
					.max_operands = -1,
					.run = command_targets,
				},
				{
					.bit = VERIFY,
					.name = "verify",
					.operands = "",
					.summary =
						"test whether the translation of addresses is right",
					.help = verify_help,
					.status_ok = "all is as expected",
					.status_partial =
						"a sample disagrees, changed or has no answer; --inject: not all is as expected, or the region is refused",
					.max_operands = 0,
					.run = command_verify,
				},
				{
					.bit = CAPTURE,
					.name = "capture",
					.operands = "OUT.tar.zst",
					.summary =
						"save the CXL state of this machine in an archive",
					.help = "All other subcommands can read the archive with --host. OUT.tar.zst must not exist yet. Run it as root: files that cannot be read are left out of the archive, and listed. The archive names the machine and its devices, unless --mask is given.\n",
					.min_operands = 1,
					.max_operands = 1,
					.run = command_capture,
				},
				{
					.bit = REGION,
					.name = "region",
					.operands =
						"create|plan WINDOW [MEMDEV...] | destroy REGION",
					.summary =
						"create and destroy regions, or show how one would be made",
					.help = "create makes a region in WINDOW, a root decoder, and plan only prints how that would be done, and the commands of cxl for it; both choose what is not given. MEMDEVs are the devices of the region in the order of their positions. destroy takes a region down, and frees the memory of its devices.\n"
						"\n"
						"create and destroy require root; plan can be used with --host.\n",
					.status_ok =
						"the region was created or destroyed; plan: it is possible",
					.status_partial =
						"refused, with the reason, or undone; plan: it is not possible",
					.min_operands = 1,
					.max_operands = -1,
					.run = command_region,
				},
				{
					.bit = ONLINE,
					.name = "online",
					.operands = "REGION|DAX...",
					.summary =
						"bring the memory of regions online as system RAM",
					.help = "The dax devices of the regions become system-ram, and all their memory blocks online. A dax device stands for its region.\n"
						"\n"
						"It requires root.\n",
					.status_ok = "all memory is online",
					.status_partial = "refused, with the reason, or undone",
					.min_operands = 1,
					.max_operands = -1,
					.run = command_online,
				},
				{
					.bit = OFFLINE,
					.name = "offline",
					.operands = "REGION|DAX...",
					.summary = "take the memory of regions offline",
					.help = "All memory blocks of the regions go offline; the kernel first moves what is in them. A dax device stands for its region.\n"
						"\n"
						"It requires root.\n",
					.status_ok = "all memory is offline",
					.status_partial = "refused, with the reason, or undone",
					.min_operands = 1,
					.max_operands = -1,
					.run = command_offline,
				},
				{
					.bit = PAGE,
					.name = "page",
					.operands =
						"show|offline|online [MEMDEV] ADDRESS... | list | export | import FILE",
					.summary =
						"say who is on a page, take it out of use, or bring it back",
					.help = page_help,
					.status_ok =
						"all pages are out of use, or were so already; show: all addresses are known",
					.status_partial =
						"a page was refused, or failed, with the reason; show: an address is not exactly known",
					.min_operands = 1,
					.max_operands = -1,
					.run = command_page,
				},
				{
					.bit = REPAIR,
					.name = "repair",
					.operands = "[ID]",
					.summary =
						"list the places that devices ask to have repaired, or repair one",
					.help = "Without ID the worklist is printed: the places of memory devices that events asked to have repaired, and those of open incidents of media errors, what would repair them, and whether that is possible now. With ID that place is repaired by Linux (EDAC), with the values of the event's record only. Requires root, and the files of cxl-redfishd, which records the events.\n"
						"\n"
						"A sparing is done once the device confirms it by an event of the place, within a minute; exit status 3 says that Linux accepted it, and that no such event came.\n",
					.status_ok =
						"the place is repaired; or the list was printed",
					.status_partial =
						"the repair is not possible now, was refused, or failed, with the reason",
					.status_unknown =
						"Linux accepted the repair, and no event confirmed it in time",
					.max_operands = 1,
					.run = command_repair,
				},
};

enum { NAME_LENGTH_MAX = 16 }; /* of a subcommand */

struct command_line {
	struct cli cli;
	bool help, version;
};

static int set_size(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	(void)row;
	return operand_size(argument, field, e);
}

static int set_time(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	(void)row;
	return operand_time(argument, field, e);
}

/* A number of samples is decimal only: 0x10 could be meant as an address. */
static int set_samples(const struct option_row *row, void *field, const char *argument,
		       struct error *e)
{
	if (argument[0] == '0')
		return error_set(e, EINVAL, "requires a number from 1 to %d, not '%.64s'",
				 VERIFY_SAMPLES_MAX, argument);
	return option_set_uint(row, field, argument, e);
}

static int set_seed(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	struct opt_u64 *seed = field;

	(void)row;
	if (parse_address(argument, &seed->value) < 0)
		return error_set(e, EINVAL, "requires a number like 0x5eed, not '%.64s'", argument);
	seed->present = true;
	return 0;
}

static const struct option_row option_rows[] = {
	{
		.name = "host",
		.argument = "PATH",
		.help = "read a captured host (a directory, or a .tar.zst archive made by capture) instead of this machine",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.host_path),
		.commands = HAVE_HOST | CAPTURE,
	},
	{
		.name = "tables",
		.argument = "FILE",
		.help = "read the ACPI tables CEDT, PRMT, SRAT and HMAT from FILE, the output of acpidump or a table.dat of acpixtract, where the host shows none; can be given several times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, cli.tables),
		.commands = HAVE_TABLES,
	},
	{
		.name = "json",
		.help = "print JSON instead of text",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.json),
		.commands = HAVE_JSON,
	},
	{
		.name = "svg",
		.help = "print a picture, drawn by the library of Graphviz, which must be installed",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.svg),
		.commands = GRAPH,
	},
	{
		.name = "samples",
		.argument = "N",
		.help = "query N addresses of each Normalized decoder, 1000 by default; with --inject, try N random addresses of the region and N of its devices, 256 by default",
		.set = set_samples,
		.offset = offsetof(struct command_line, cli.verify.samples),
		.max = VERIFY_SAMPLES_MAX,
		.commands = VERIFY,
	},
	{
		.name = "inject",
		.argument = "REGION",
		.help = "have the devices of a region prove their addresses, which destroys the content of the region",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.verify.inject),
		.commands = VERIFY,
	},
	{
		.name = "seed",
		.argument = "NUMBER",
		.help = "with --inject, the seed of an earlier report, for the same random addresses",
		.set = set_seed,
		.offset = offsetof(struct command_line, cli.verify.seed),
		.commands = VERIFY,
	},
	{
		.name = "model",
		.argument = "FILE",
		.help = "with --inject, use the rules in FILE in place of memory and devices, and destroy nothing",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.verify.model),
		.commands = VERIFY,
	},
	{
		.name = "check",
		.help = "exit with status 1 when there is a problem",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.check),
		.commands = EXPLAIN,
	},
	{
		.name = "no-pager",
		.help = "do not use a pager, which on a terminal is the command of PAGER, or less",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.no_pager),
		.commands = LIST | EXPLAIN,
	},
	{
		.name = "trace",
		.argument = "FILE",
		.help = "translate the addresses of the reports of errors in FILE, or in standard input for '-', as printed by ftrace, trace-cmd, perf, rasdaemon, ras-mc-ctl, cxl monitor, cxl list -L or in the kernel's log",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.trace),
		.commands = TRANSLATE,
	},
	{
		.name = "this-boot",
		.help = "with --trace, or a text of triage: the events are of this host and its present boot, unless their serial numbers or times prove the contrary",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.this_boot),
		.commands = TRANSLATE | TRIAGE,
	},
	{
		.name = "scrub",
		.help = "of the whole host, print patrol scrub and error check scrub of the devices, too, which each is asked for",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.scrub),
		.commands = LIST,
	},
	{
		.name = "mask",
		.help = "replace serial numbers and what else identifies the machine; with --host, those of a captured host",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.mask),
		.commands = CAPTURE,
	},
	{
		.name = "list",
		.help = "print the worklist, as without ID",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.list),
		.commands = REPAIR,
	},
	{
		.name = "again",
		.help = "repair also a place whose last repair was not confirmed, or whose result is not known: it may use up a further spare",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.again),
		.commands = REPAIR,
	},
	{
		.name = "follow",
		.help = "then print later entries as they are logged, until interrupted",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.events.follow),
		.commands = EVENTS,
	},
	{
		.name = "since",
		.argument = "TIME",
		.help = "only entries since a time, such as yesterday, '1 hour ago', 12h, or in UTC '2026-11-26 21:44' or 21:44; cxl-spa(1) has all forms",
		.set = set_time,
		.offset = offsetof(struct command_line, cli.events.since),
		.commands = EVENTS,
	},
	{
		.name = "until",
		.argument = "TIME",
		.help = "only entries until a time, which is written as for --since",
		.set = set_time,
		.offset = offsetof(struct command_line, cli.events.until),
		.commands = EVENTS,
	},
	{
		.name = "severity",
		.argument = "SEVERITY",
		.help = "only entries of this severity: ok, warning or critical, or several of them with commas between",
		.set = option_set_text,
		.examples = "ok, warning, critical",
		.offset = offsetof(struct command_line, cli.events.severity),
		.commands = EVENTS,
	},
	{
		.name = "type",
		.argument = "TYPE",
		.help = "only entries of this type, such as dram or poison, or of several with commas between",
		.set = option_set_text,
		.examples =
			"general_media, dram, memory_module, memory_sparing, generic, poison, poison_cleared, overflow, aer_correctable, aer_uncorrectable, port_aer_correctable, port_aer_uncorrectable, other, lost, lost_at_end, unreadable",
		.offset = offsetof(struct command_line, cli.events.type),
		.commands = EVENTS,
	},
	{
		.name = "memdev",
		.argument = "MEMDEV",
		.help = "only entries of one memory device: memN or dddd:bb:dd.f as it was named at the time of the event, serial:NUMBER, or its Redfish Id cxl-...",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.memdev),
		.commands = EVENTS,
	},
	{
		.name = "region",
		.argument = "REGION",
		.help = "only entries of one region, as it was named at the time of the event",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.region),
		.commands = EVENTS,
	},
	{
		.name = "dpa",
		.argument = "ADDRESS",
		.help = "only entries whose device address is ADDRESS or in the range START-END",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.dpa),
		.commands = EVENTS,
	},
	{
		.name = "spa",
		.argument = "ADDRESS",
		.help = "only entries whose system address is, or may be, ADDRESS or in the range START-END",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.spa),
		.commands = EVENTS,
	},
	{
		.name = "lines",
		.letter = 'n',
		.argument = "N",
		.help = "only the last N of the selected entries; -n N is the same",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, cli.events.lines),
		.max = EVENT_LINES_MAX,
		.commands = EVENTS,
	},
	{
		.name = "summary",
		.help = "print how many entries there are of each device, of each type and at each page of memory",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.events.summary),
		.commands = EVENTS,
	},
	{
		.name = "wide",
		.help = "print all columns, and lines of any length",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.events.wide),
		.commands = EVENTS,
	},
	{
		.name = "state",
		.argument = "DIRECTORY",
		.help = "the state directory of cxl-redfishd (default: /var/lib/cxl-redfish)",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.state),
		.commands = EVENTS | EXPLAIN | HEALTH | TRIAGE | PAGE | REPAIR,
	},
	{
		.name = "resolve",
		.argument = "ENTRY",
		.help = "the cause of an entry of the log is gone; several numbers, or several of this option, resolve several",
		.set = option_add_text,
		.offset = offsetof(struct command_line, cli.events.resolve),
		.commands = EVENTS,
	},
	{
		.name = "resolve-incident",
		.argument = "ID",
		.help = "the cause of an incident is gone: it and all of its entries are resolved",
		.set = option_add_text,
		.offset = offsetof(struct command_line, cli.events.resolve_incident),
		.commands = EVENTS,
	},
	{
		.name = "acknowledge",
		.argument = "ID",
		.help = "someone deals with an incident: there is no alert until it becomes worse",
		.set = option_add_text,
		.offset = offsetof(struct command_line, cli.events.acknowledge),
		.commands = EVENTS,
	},
	{
		.name = "note",
		.argument = "TEXT",
		.help = "a line of at most 256 bytes about the incidents that are changed",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.note),
		.commands = EVENTS,
	},
	{
		.name = "socket",
		.argument = "PATH",
		.help = "the Unix socket of the service for changes (default: /run/cxl-redfish/redfish.sock)",
		.set = option_set_text,
		.offset = offsetof(struct command_line, cli.events.socket),
		.commands = EVENTS,
	},
	{
		.name = "switch-mailbox",
		.argument = "BDF",
		.help = "read the CXL switch that has the PCI function BDF through its mailbox, or with 'auto' all switches of this machine; requires root",
		.set = option_set_text,
		.check = switch_mailbox_check,
		.examples = "auto",
		.offset = offsetof(struct command_line, cli.switch_mailbox),
		.commands = CAPTURE | LIST | EXPLAIN | GRAPH,
	},
	{
		.name = "size",
		.argument = "SIZE",
		.help = "bytes of the region, with K, M, G or T for KiB, MiB, GiB or TiB, or hexadecimal with 0x; as large as possible by default",
		.set = set_size,
		.offset = offsetof(struct command_line, cli.change.size),
		.commands = REGION,
	},
	{
		.name = "mode",
		.argument = "MODE",
		.help = "ram for volatile memory, pmem for persistent memory; ram by default, where the window allows it; dynamic capacity is refused, with the reason",
		.set = option_set_text,
		.words = "ram, pmem, dynamic_ram_a, dynamic_ram_1",
		.offset = offsetof(struct command_line, cli.change.mode),
		.commands = REGION,
	},
	{
		.name = "ways",
		.argument = "N",
		.help = "over how many devices the region is interleaved; as many as possible by default",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, cli.change.ways),
		.max = INTERLEAVE_WAYS_MAX,
		.commands = REGION,
	},
	{
		.name = "granularity",
		.argument = "SIZE",
		.help = "bytes of a chunk of the interleaving, as --size; by default that of the window",
		.set = set_size,
		.offset = offsetof(struct command_line, cli.change.granularity),
		.commands = REGION,
	},
	{
		.name = "force",
		.help = "region: destroy it although its memory is in use or has namespaces, if the kernel lets go of it; verify --inject: destroy its content",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.change.force),
		.commands = REGION | VERIFY,
	},
	{
		.name = "zone",
		.argument = "ZONE",
		.help = "movable, so that the memory can be taken offline again, or kernel, so that the kernel can use it for everything; movable by default",
		.set = option_set_text,
		.words = "movable, kernel",
		.offset = offsetof(struct command_line, cli.change.zone),
		.commands = ONLINE,
	},
	{
		.name = "hard",
		.help = "take the page away from whoever uses it, whose tasks may end; by default its contents move",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.page_hard),
		.commands = PAGE,
	},
	{
		.name = "devdax",
		.help = "then make the dax devices devdax again, so that programs can map them",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, cli.change.devdax),
		.commands = OFFLINE,
	},
	{
		.name = "help",
		.letter = 'h',
		.help = "print this help; with a subcommand, the help of that subcommand; -h and the subcommand help are the same",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, help),
	},
	{
		.name = "version",
		.help = "print the version of this program",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, version),
	},
};

static const struct option_table options = {option_rows, ARRAY_SIZE(option_rows), .once = true};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (str_equal(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Return: how many characters must be inserted, removed or replaced to make @b of @a. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_LENGTH_MAX + 1];
	const size_t n = strlen(b);

	for (size_t i = 0; i <= n; i++)
		row[i] = i;
	for (size_t k = 0; a[k]; k++) {
		size_t diagonal = row[0];

		row[0] = k + 1;
		for (size_t i = 1; i <= n; i++) {
			const size_t above = row[i], replaced = diagonal + (a[k] != b[i - 1]);
			const size_t other = (above < row[i - 1] ? above : row[i - 1]) + 1;

			row[i] = replaced < other ? replaced : other;
			diagonal = above;
		}
	}
	return row[n];
}

/* Return: the subcommand that may have been meant, of which two thirds are right; NULL: none. */
static const char *similar_command(const char *name)
{
	const char *best = NULL;
	size_t least = SIZE_MAX;

	if (strlen(name) > NAME_LENGTH_MAX)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		const size_t d = distance(name, commands[i].name);

		if (d < least && 3 * d <= strlen(commands[i].name)) {
			least = d;
			best = commands[i].name;
		}
	}
	return best;
}

/* Return: -EINVAL. */
static int unknown_command(const struct option_result *result, struct error *e)
{
	const char *name = result->n_operands ? result->operands[0] : NULL;
	const char *similar = name ? similar_command(name) : NULL;

	if (similar)
		return error_set(e, EINVAL,
				 "unknown subcommand '%s'; '%s' is similar (see cxl-spa --help)",
				 name, similar);
	if (name)
		return error_set(e, EINVAL, "unknown subcommand '%s' (see cxl-spa --help)", name);
	return error_set(e, EINVAL, "a subcommand is missing (see cxl-spa --help)");
}

static void print_status(int status, const char *meaning)
{
	if (!meaning)
		return;
	printf("  %d  ", status);
	options_print_text(stdout, meaning, 5, 5);
}

static void print_statuses(const char *ok, const char *partial, const char *error,
			   const char *unknown)
{
	puts("\nExit status:");
	print_status(STATUS_OK, ok ? ok : "success");
	print_status(STATUS_PARTIAL, partial);
	print_status(
		STATUS_ERROR,
		error ? error
		      : "wrong usage, a malformed operand, an unknown object, or a host that cannot be read");
	print_status(HEALTH_STATUS_UNKNOWN, unknown);
}

static void print_command_help(const struct command *command)
{
	printf("Usage: cxl-spa %s [OPTION...]%s%s\n\n%c%s.\n\n", command->name,
	       command->operands[0] ? " " : "", command->operands, command->summary[0] - 'a' + 'A',
	       command->summary + 1);
	options_print_text(stdout, command->help, 0, 0);
	puts("\nOptions, before or after the subcommand:");
	options_print(stdout, &options, command->bit);
	print_statuses(command->status_ok, command->status_partial, command->status_error,
		       command->status_unknown);
	printf("\nManual page: cxl-spa-%s(1)\n", command->name);
}

static void print_help(void)
{
	puts("Usage: cxl-spa SUBCOMMAND [OPTION...] [OPERAND...]\n\n"
	     "Translates addresses of CXL memory, and shows and explains how it is mapped.\n\n"
	     "Subcommands:");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	puts("\nOptions of several subcommands ('cxl-spa SUBCOMMAND --help' prints all of one):");
	options_print(stdout, &options, SHOW);
	print_statuses(
		NULL,
		"translate: an answer is an interval or missing; verify: not all is as expected; explain --check: there is a problem; region, online, offline and page: refused or undone",
		NULL, "health: UNKNOWN; its others are those of Nagios, too");
	puts("\nManual page: cxl-spa(1)");
}

/* Return: 0, or -EINVAL with a message about the number of operands. */
static int check_operand_count(const struct command *command, const struct cli *cli, int n,
			       char **operands, struct error *e)
{
	const char *instead = cli->trace ? "--trace" : NULL;

	if (cli->scrub && n > 0)
		return error_set(e, EINVAL,
				 "%s: --scrub is of the whole host, without the operand '%s'",
				 command->name, operands[0]);
	if (cli->this_boot && !cli->trace && !(command->bit == TRIAGE && n > 0))
		return error_set(e, EINVAL,
				 "%s: --this-boot is about the reports of a text, which is missing",
				 command->name);
	if (instead && n > 0)
		return error_set(e, EINVAL, "%s: unexpected operand '%s': %s takes none",
				 command->name, operands[0], instead);
	if (!instead && n < command->min_operands)
		return error_set(e, EINVAL, "%s: the operand %s is missing (see cxl-spa %s --help)",
				 command->name, command->operands, command->name);
	if (command->max_operands >= 0 && n > command->max_operands)
		return error_set(e, EINVAL, "%s: unexpected operand '%s' (see cxl-spa %s --help)",
				 command->name, operands[command->max_operands], command->name);
	return 0;
}

/* Return: 0, or -EINVAL with a message about what is wrong with the command line. */
static int check_usage(const struct command *command, const struct command_line *line,
		       const struct option_result *result, struct error *e)
{
	const struct option_row *row;

	if (!command)
		return unknown_command(result, e);
	row = options_unsupported(&options, result, command->bit);
	if (row)
		return error_set(e, EINVAL, "%s does not support --%s (see cxl-spa %s --help)",
				 command->name, row->name, command->name);
	return check_operand_count(command, &line->cli, result->n_operands - 1,
				   result->operands + 1, e);
}

/* The caller of a plugin reads standard output only. */
static int refuse_usage(struct command_line *line, bool health, const struct error *e)
{
	log_err("%s", e->text);
	return health ? health_print_unknown(&line->cli, line->cli.json, e->text) : STATUS_ERROR;
}

/* "help [SUBCOMMAND]" is --help with it. */
static void take_help(struct command_line *line, struct option_result *result)
{
	if (!result->n_operands || !str_equal(result->operands[0], "help"))
		return;
	line->help = true;
	result->operands++;
	result->n_operands--;
}

static int run_command_line(struct command_line *line, struct option_result *result)
{
	const struct command *command;
	struct error e = {0};
	int status;

	take_help(line, result);
	command = result->n_operands ? find_command(result->operands[0]) : NULL;

	if (line->version) {
		puts("cxl-spa " PACKAGE_VERSION);
		return STATUS_OK;
	}
	if (line->help && command) {
		print_command_help(command);
		return STATUS_OK;
	}
	if (line->help && !result->n_operands) {
		print_help();
		return STATUS_OK;
	}
	if (check_usage(command, line, result, &e) < 0)
		return refuse_usage(line, command && command->bit == HEALTH, &e);
	out_setup();
	status = command->run(&line->cli, result->n_operands - 1, result->operands + 1);
	cli_close(&line->cli);
	return status;
}

/* Return: the subcommand that a wrong command line is about; NULL: none. */
static const struct command *command_among(int argc, char **argv)
{
	const struct command *command = NULL;

	for (int i = 1; i < argc && !command; i++)
		command = find_command(argv[i]);
	return command;
}

int main(int argc, char **argv)
{
	/* Before options_parse(), which moves operands. */
	const struct command *command = command_among(argc, argv);
	const bool health = command && command->bit == HEALTH;
	struct command_line line = {0};
	struct option_result result;
	struct error e = {0};
	int status;

	log_setup("cxl-spa", LOG_LEVEL_WARNING);
	if (options_parse(&options, argc, argv, &line, &result, &e) < 0) {
		struct error with_help = {0};

		(void)error_set(&with_help, EINVAL, "%s (see cxl-spa %s%s--help)", e.text,
				command ? command->name : "", command ? " " : "");
		status = refuse_usage(&line, health, &with_help);
	} else {
		status = run_command_line(&line, &result);
	}
	if (pager_end())
		return status;
	/* Output that could not be written completely must not end with status 0. */
	errno = 0;
	if (fflush(stdout) == EOF || ferror(stdout)) {
		log_err("cannot write the output: %s",
			errno ? strerror(errno) : "it is incomplete");
		return health ? HEALTH_STATUS_UNKNOWN : STATUS_ERROR; /* 2 would be CRITICAL */
	}
	return status;
}
