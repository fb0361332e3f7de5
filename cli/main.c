// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa: options, the table of subcommands, and the exit status.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "prm/verify.h"

struct command {
	const char *name;
	const char *operands; /* for the usage line */
	const char *summary;
	const char *help;
	bool json;			/* knows --json */
	bool verify;			/* knows --verify */
	bool events;			/* knows --follow, --since, --memdev, --spa and --state */
	bool live_host_only;		/* refuses --host */
	int min_operands, max_operands; /* a negative maximum is none */
	int (*run)(struct cli *cli, int n, char **operands);
};

static const struct command commands[] = {
	{
		.name = "translate",
		.operands = "[MEMDEV] ADDRESS...",
		.summary = "device addresses to system addresses, and back",
		.help = "With MEMDEV (memN, a PCI address dddd:bb:dd.f, or serial:0x...) the "
			"addresses\n"
			"are device physical addresses (DPA) of that memory device; without it "
			"they\n"
			"are system physical addresses (SPA).\n"
			"\n"
			"With --verify N nothing is translated: N addresses of each Normalized "
			"decoder are\n"
			"asked of firmware, and compared with the kernel's ways and granularity.\n"
			"\n"
			"An ADDRESS is 0x and hexadecimal digits, or 0. START-END is a range that\n"
			"includes both ends. '-' reads addresses from standard input, one per "
			"line.\n"
			"\n"
			"Exit status: 0 all answers are exact; 1 some answer is an interval or "
			"missing,\n"
			"or a sample of --verify disagrees or is unanswered; 2 a malformed "
			"operand,\n"
			"or the host cannot be read.\n",
		.json = true,
		.verify = true,
		.min_operands = 1,
		.max_operands = -1,
		.run = command_translate,
	},
	{
		.name = "list",
		.operands = "",
		.summary = "windows, regions, bridges, switches, memory devices and dax devices",
		.help = "Shows all CXL objects of the host as a tree.\n",
		.json = true,
		.max_operands = 0,
		.run = command_list,
	},
	{
		.name = "explain",
		.operands = "[OBJECT]",
		.summary = "what is mapped, what is not, and why",
		.help = "OBJECT is a region, a decoder, or a memory device (memN, a PCI address, "
			"or\n"
			"serial:0x...). Without it the whole host is explained.\n",
		.json = true,
		.max_operands = 1,
		.run = command_explain,
	},
	{
		.name = "graph",
		.operands = "",
		.summary = "the topology as a Graphviz graph",
		.help = "Draw it with: cxl-spa graph | dot -Tsvg > cxl.svg\n",
		.max_operands = 0,
		.run = command_graph,
	},
	{
		.name = "events",
		.operands = "",
		.summary = "the log of CXL events, each with its system address",
		.help = "Shows the log that cxl-redfishd keeps, oldest entries first; with --host "
			"the\n"
			"records of a captured host, CPU by CPU. Addresses are those of the moment "
			"of the\n"
			"event.\n"
			"\n"
			"  --follow      go on with what is logged later, until interrupted\n"
			"  --since TIME  from a time on: 2026-11-21, 2026-11-21T21:44:13 (UTC), or "
			"how\n"
			"                long ago: 90s, 10m, 2h, 7d\n"
			"  --memdev M    of one memory device: memN or dddd:bb:dd.f as they were "
			"then,\n"
			"                serial:0x..., or its name in the log\n"
			"  --spa RANGE   whose system address is, or may be, 0x... or START-END\n"
			"  --state DIR   the state directory of the service, if not "
			"/var/lib/cxl-redfish\n"
			"\n"
			"With --json each entry is an object on a line of its own.\n",
		.json = true,
		.events = true,
		.max_operands = 0,
		.run = command_events,
	},
	{
		.name = "capture",
		.operands = "OUT.tar.zst",
		.summary = "archive what this machine shows of its CXL memory",
		.help = "The archive can be given to every command with --host. OUT.tar.zst must "
			"not\n"
			"exist yet. Run it as root: what cannot be read is left out, and listed.\n",
		.live_host_only = true,
		.min_operands = 1,
		.max_operands = 1,
		.run = command_capture,
	},
};

struct options {
	const char *host_path;
	bool json, help, version;
	unsigned int samples; /* of --verify; 0 without */
	struct event_cli events;
	char **operands; /* the subcommand first; points into argv */
	int n_operands;
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (str_equal(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void print_options(bool host, bool json, bool verify)
{
	(void)fputs("\nOptions, before or after the subcommand:\n", stdout);
	if (host)
		(void)fputs(
			"  --host PATH   a captured host (directory or .tar.zst) instead of this "
			"machine\n",
			stdout);
	if (json)
		(void)fputs("  --json        JSON instead of text\n", stdout);
	if (verify)
		(void)fputs("  --verify N    compare N samples of each Normalized decoder with "
			    "firmware\n",
			    stdout);
	(void)fputs("  --help        this text; with a subcommand, the text of that one\n"
		    "  --version     the version of this program\n",
		    stdout);
}

static void print_help(const struct command *command)
{
	if (command) {
		printf("Usage: cxl-spa %s [OPTION...]%s%s\n\n%c%s.\n\n%s", command->name,
		       command->operands[0] ? " " : "", command->operands,
		       command->summary[0] - 'a' + 'A', command->summary + 1, command->help);
		print_options(!command->live_host_only, command->json, command->verify);
		return;
	}
	(void)fputs("Usage: cxl-spa SUBCOMMAND [OPTION...] [OPERAND...]\n\n"
		    "Knows every address of a host's CXL memory.\n\nSubcommands:\n",
		    stdout);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-13s %s\n", commands[i].name, commands[i].summary);
	print_options(true, true, false);
	(void)fputs("\nManual page: cxl-spa(1)\n", stdout);
}

/* Return: STATUS_OK, or STATUS_ERROR after saying why this is no PATH for --host. */
static int set_host(struct options *o, const char *path)
{
	if (!path)
		log_err("--host needs a PATH behind it");
	else if (!path[0])
		log_err("the PATH of --host is empty");
	else if (o->host_path)
		log_err("--host is given twice: '%s' and '%s'", o->host_path, path);
	else
		o->host_path = path;
	return path && o->host_path == path ? STATUS_OK : STATUS_ERROR;
}

/* Return: whether @s is a number of samples. */
static bool read_samples(const char *s, unsigned int *ret)
{
	uint64_t n;

	if (!s || *s == '0' || parse_u64(s, &n) < 0 || n < 1 || n > VERIFY_SAMPLES_MAX) {
		log_err("--verify needs a number from 1 to %d behind it", VERIFY_SAMPLES_MAX);
		return false;
	}
	*ret = (unsigned int)n;
	return true;
}

/* Return: where to keep the value of an option of events, NULL when it is none. */
static const char **event_value(struct options *o, const char *name, size_t len)
{
	const struct {
		const char *name;
		const char **value;
	} values[] = {
		{"--since", &o->events.since},
		{"--memdev", &o->events.memdev},
		{"--spa", &o->events.spa},
		{"--state", &o->events.state},
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (strlen(values[i].name) == len && strncmp(values[i].name, name, len) == 0)
			return values[i].value;
	return NULL;
}

/* Return: STATUS_OK, or STATUS_ERROR after saying why the option has no good value. */
static int set_event_value(const char **at, const char *name, size_t len, const char *value)
{
	if (!value || !value[0])
		log_err("%.*s needs a value behind it", (int)len, name);
	else if (*at)
		log_err("%.*s is given twice: '%s' and '%s'", (int)len, name, *at, value);
	else
		*at = value;
	return value && *at == value ? STATUS_OK : STATUS_ERROR;
}

/*
 * Options may stand anywhere, so they are picked out and what remains moves up in @argv. getopt()
 * would stop at the subcommand when POSIXLY_CORRECT is set.
 */
static int read_options(int argc, char **argv, struct options *o)
{
	bool operands_only = false;

	o->operands = argv + 1;
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i], *value = str_after_prefix(arg, "--host=");
		const char *samples = str_after_prefix(arg, "--verify=");
		const size_t name = strcspn(arg, "=");
		const char **kept = event_value(o, arg, name);

		if (operands_only || arg[0] != '-' || str_equal(arg, "-")) {
			o->operands[o->n_operands++] = argv[i];
		} else if (str_equal(arg, "--")) {
			operands_only = true;
		} else if (str_equal(arg, "--json")) {
			o->json = true;
		} else if (str_equal(arg, "--follow")) {
			o->events.follow = true;
		} else if (kept) {
			const char *given = arg[name] ? arg + name + 1 : argv[++i];

			if (set_event_value(kept, arg, name, given) != STATUS_OK)
				return STATUS_ERROR;
		} else if (str_equal(arg, "--help")) {
			o->help = true;
		} else if (str_equal(arg, "--version")) {
			o->version = true;
		} else if (str_equal(arg, "--verify")) {
			if (!read_samples(i + 1 < argc ? argv[++i] : NULL, &o->samples))
				return STATUS_ERROR;
		} else if (samples) {
			if (!read_samples(samples, &o->samples))
				return STATUS_ERROR;
		} else if (value) {
			if (set_host(o, value) != STATUS_OK)
				return STATUS_ERROR;
		} else if (str_equal(arg, "--host")) {
			/* argv ends with NULL */
			if (set_host(o, argv[++i]) != STATUS_OK)
				return STATUS_ERROR;
		} else {
			log_err("unknown option '%s' (see cxl-spa --help)", arg);
			return STATUS_ERROR;
		}
	}
	return STATUS_OK;
}

static bool has_event_options(const struct event_cli *o)
{
	return o->follow || o->since || o->memdev || o->spa || o->state;
}

/* Return: STATUS_OK, or STATUS_ERROR after saying what is wrong with the command line. */
static int check_usage(const struct command *command, const struct options *o)
{
	int n = o->n_operands - 1;

	if (!command) {
		if (o->n_operands)
			log_err("unknown subcommand '%s' (see cxl-spa --help)", o->operands[0]);
		else
			log_err("a subcommand is missing (see cxl-spa --help)");
		return STATUS_ERROR;
	}
	if (o->samples && !command->verify) {
		log_err("%s has no --verify", command->name);
		return STATUS_ERROR;
	}
	if (!command->events && has_event_options(&o->events)) {
		log_err("%s has no --follow, --since, --memdev, --spa or --state", command->name);
		return STATUS_ERROR;
	}
	if (o->samples && n > 0) {
		log_err("%s: '%s' is one operand too many with --verify", command->name,
			o->operands[1]);
		return STATUS_ERROR;
	}
	if (!o->samples && n < command->min_operands) {
		log_err("%s: %s is missing (see cxl-spa %s --help)", command->name,
			command->operands, command->name);
		return STATUS_ERROR;
	}
	if (command->max_operands >= 0 && n > command->max_operands) {
		log_err("%s: '%s' is one operand too many (see cxl-spa %s --help)", command->name,
			o->operands[1 + command->max_operands], command->name);
		return STATUS_ERROR;
	}
	if (o->host_path && command->live_host_only) {
		log_err("%s works on this machine only, not with --host", command->name);
		return STATUS_ERROR;
	}
	if (o->json && !command->json) {
		log_err("%s has no --json", command->name);
		return STATUS_ERROR;
	}
	return STATUS_OK;
}

static int run(const struct options *o)
{
	const struct command *command = o->n_operands ? find_command(o->operands[0]) : NULL;
	struct cli cli = {.host_path = o->host_path,
			  .json = o->json,
			  .samples = o->samples,
			  .events = o->events};
	int status;

	if (o->version) {
		puts("cxl-spa " PACKAGE_VERSION);
		return STATUS_OK;
	}
	if (o->help && (command || !o->n_operands)) {
		print_help(command);
		return STATUS_OK;
	}
	status = check_usage(command, o);
	if (status != STATUS_OK)
		return status;
	out_setup();
	status = command->run(&cli, o->n_operands - 1, o->operands + 1);
	cli_close(&cli);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = {0};
	int status;

	log_setup("cxl-spa", LOG_LEVEL_WARNING);
	status = read_options(argc, argv, &o);
	if (status == STATUS_OK)
		status = run(&o);
	/* A full disk must not look like an answer. */
	errno = 0;
	if (fflush(stdout) == EOF || ferror(stdout)) {
		log_err("cannot write the output: %s",
			errno ? strerror(errno) : "it was cut short");
		return STATUS_ERROR;
	}
	return status;
}
