/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_SQL_SCHEMA_H
#define CXLR_COMMON_SQL_SCHEMA_H

/*
 * The tables of an SQLite file by version: recognizing a file, bringing an older one up to date in
 * steps, and making sure that it has exactly the tables that the steps create. Tables, indexes and
 * triggers are compared by their text, so nothing that another program put into a file (a view
 * that never ends, a trigger that deletes) can run. The rules of connections are those of
 * common/sql.h.
 *
 * Each file has a table `meta` with a hash of the texts of its tables. A file of this application
 * with another hash than that of its version here is refused: before a release, a step may change
 * without a new version. Tables of that name belong to this module.
 */

#include <stdint.h>

#include <sqlite3.h>

#include "common/error.h"

struct sql_schema {
	int application; /* PRAGMA application_id */
	int former;	 /* of files before the first release, which are refused */
	int version;	 /* of this program; at least 1 */
	/*
	 * Makes version @from + 1 of version @from; version 0 is an empty file. A step that has
	 * been released never changes, because files that it made are compared with it.
	 * Return: an SQLite code.
	 */
	int (*step)(sqlite3 *db, int64_t from);
};

enum { SQL_SCHEMA_HASH_SIZE = 17 }; /* 16 digits and the NUL */

/* sql_schema_hash() - that of the version of this program. Return: an SQLite code. */
int sql_schema_hash(const struct sql_schema *s, char ret[static SQL_SCHEMA_HASH_SIZE]);

/*
 * sql_schema_look() - which version a file has; changes nothing
 * @ret_version: 0 for an empty file
 *
 * Return: 0; -EPROTONOSUPPORT for a newer version, or other tables than those of its version;
 * -EBADMSG when it is damaged or of another program; or as sql_error(). @e has the reason.
 */
int sql_schema_look(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t *ret_version,
		    struct error *e);

/*
 * sql_schema_migrate() - bring a file from @version to the version of this program
 * @fill: called in the same transaction after the steps of a new file; may be NULL.
 *        Return: an SQLite code.
 *
 * All of it is one transaction. Return: 0, or as sql_error().
 */
int sql_schema_migrate(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t version,
		       int (*fill)(sqlite3 *db, void *userdata), void *userdata, struct error *e);

/* sql_schema_verify() - -EBADMSG unless the file has the tables of this version and no others */
int sql_schema_verify(const struct sql_schema *s, sqlite3 *db, const char *path, struct error *e);

#endif
