/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_PROGRAM_H
#define CXLR_HELPER_PROGRAM_H

/*
 * The common part of the helpers' programs: their options, the socket that they are started
 * with, by systemd or by cxl-redfishd, capabilities, the configuration, and accepting connections.
 * Main thread only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/option_files.h"
#include "common/options.h"
#include "helper/server.h"
#include "opener/opener.h"

/* The first member of what the options of such a program are put into. */
struct program_options {
	const char *user, *file;
	bool check_config, child, help, version;
};

/* Rows of its table of options. */
#define PROGRAM_OPTION_USER                                                                        \
	{                                                                                          \
		.name = "user", .argument = "USERS",                                               \
		.help = "the users, by name or number, who may connect beside root",               \
		.set = option_set_text, .offset = offsetof(struct program_options, user),          \
		.not_key = true,                                                                   \
	}

/* Two rows. @keys: "the key allow", for --help */
#define PROGRAM_OPTION_CONFIG(keys)                                                                \
	{                                                                                          \
		.name = "config",                                                                  \
		.argument = "FILE",                                                                \
		.help = "read " keys                                                               \
			" from FILE, and from the files FILE.d/*.conf, instead of " CONFIG_FILE,   \
		.set = option_set_text,                                                            \
		.offset = offsetof(struct program_options, file),                                  \
		.not_key = true,                                                                   \
	},                                                                                         \
	{                                                                                          \
		.name = "check-config",                                                            \
		.help = "check the configuration as this user, and end: 0, or 1 with its mistake", \
		.set = option_set_flag, .offset = offsetof(struct program_options, check_config),  \
		.not_key = true,                                                                   \
	}

/* @what: "the socket", for --help */
#define PROGRAM_OPTION_CHILD(what)                                                                 \
	{                                                                                          \
		.name = "child", .help = "started by cxl-redfishd, which passes " what,            \
		.set = option_set_flag, .offset = offsetof(struct program_options, child),         \
		.not_key = true,                                                                   \
	}

#define PROGRAM_OPTION_HELP                                                                        \
	{                                                                                          \
		.name = "help", .help = "print this text", .set = option_set_flag,                 \
		.offset = offsetof(struct program_options, help), .stop = true,                    \
	}

#define PROGRAM_OPTION_VERSION                                                                     \
	{                                                                                          \
		.name = "version", .help = "print the version", .set = option_set_flag,            \
		.offset = offsetof(struct program_options, version), .stop = true,                 \
	}

struct program {
	const char *name;	     /* its socket unit is NAME.socket */
	const char *usage, *purpose; /* of --help: the options, a sentence */
	const struct option_table *options;
	void *line;	     /* receives the command line; begins with struct program_options */
	size_t line_size;    /* bytes */
	uint64_t kept, used; /* capabilities: permitted, and of those effective in all threads */
	/* Before capabilities are dropped. NULL: nothing is prepared. */
	int (*prepare)(void *userdata, struct error *e);
	/*
	 * Takes the configuration, at the start and on SIGHUP: @values is as `line`, with
	 * the keys of the configuration below the command line. NULL: no configuration is read.
	 */
	void (*configure)(void *userdata, const void *values);
	/*
	 * SIGTERM was received: end what is being done. Called again and again, until it returns
	 * true. NULL: the process just ends. Only with `configure`.
	 */
	bool (*end)(void *userdata);
	void *userdata;
	/* All but the users. Its threads use it until the process has ended. */
	struct server *server;
};

/* program_reading_helper() - the client of cxl-redfish-helper of the system. Return: 0 or -ENOMEM.
 */
int program_reading_helper(struct opener **ret, struct error *e);

/* program_main() - all of main(). Return: the exit status. */
int program_main(const struct program *p, int argc, char **argv);

#endif
