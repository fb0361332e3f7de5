/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_OPTION_FILES_H
#define CXLR_COMMON_OPTION_FILES_H

/*
 * Options from configuration files (common/conf_file.h), under those of the command line.
 *
 * Each row of the table of options is a key of the same name, except those for the command line
 * alone (`not_key`, `stop`). A flag has the value yes or no. A key whose option repeats may be
 * repeated, in all files together as often as the option; another one may occur once in a file, and
 * the value of a later file is used. An option of the command line replaces what all files have for
 * it, but its values in the files are checked all the same. A file is used as a whole or not at
 * all: after an error the values must be dropped.
 *
 * One thread. Values are copied to the caller's arena.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"
#include "common/options.h"

/* The configuration file of the service; all its programs read it. */
#define CONFIG_FILE "/etc/cxl-redfish/cxl-redfishd.conf"

enum { OPTION_FILES_MAX = 64 }; /* that are read, and in a directory */

struct option_files {
	/* Set by the caller. */
	const struct option_table *table;
	struct arena *arena; /* has the values and the names; outlives what is done with them */
	void *values;	     /* in which the options of the command line are stored already */
	void *overruled;     /* a copy of it, for values that are only checked */
	uint64_t given;	     /* as in struct option_result: options of the command line */
	bool other_keys;     /* are of another program of the package, and ignored */

	/* The files that were read. */
	const char *names[OPTION_FILES_MAX];
	size_t n;

	uint64_t seen; /* keys of the file that is being read */

	/* Where the values in use are from, each of a list; line 0: from no file. */
	struct option_origin {
		uint16_t line;
		uint8_t file; /* index of `names` */
	} origins[OPTIONS_MAX][OPTION_LIST_MAX];
};

/* option_files_read() - as conf_read_file() */
int option_files_read(struct option_files *f, const char *path, struct error *e);

/*
 * option_files_read_directory() - read the files of a directory whose names end with ".conf" and do
 * not begin with a dot, in the order of the bytes of their names
 *
 * Return: also 0 when there is no such directory.
 */
int option_files_read_directory(struct option_files *f, const char *path, struct error *e);

/*
 * option_files_read_all() - read the configuration: a file, and those of the directory FILE.d
 * @file: NULL: CONFIG_FILE, which need not exist
 */
int option_files_read_all(struct option_files *f, const char *file, struct error *e);

/* Return: whether a value in use is from a file; @key and @i are those of option_files_locate() */
bool option_files_have(const struct option_files *f, const char *key, size_t i);

/*
 * option_files_read_keys() - read keys of the service's configuration, for another program
 * @table: of these keys
 * @arena: has the texts of values
 * @values: of @size bytes, with the defaults; in use on success only
 *
 * Return: as option_files_read_all().
 */
int option_files_read_keys(const struct option_table *table, struct arena *arena, void *values,
			   size_t size, struct error *e);

/* option_files_read_key() - the same with one key, whose field is at offset 0 */
int option_files_read_key(const struct option_row *row, struct arena *arena, void *value,
			  size_t size, struct error *e);

/*
 * option_files_locate() - put "FILE:LINE: " before an error that concerns a value
 * @key: of the value; nothing is put when it is not from a file
 * @i: of a list, which of its values; otherwise 0
 */
void option_files_locate(const struct option_files *f, const char *key, size_t i, struct error *e);

#endif
