// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/rasdaemon_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

enum {
	VALUE_MAX = 64 << 10, /* bytes of one value */
	HEAP_MAX = 64 << 20,  /* bytes that SQLite may allocate */
	COLUMNS_MAX = 64,
	SQL_TEXT_MAX = 2048,
	TEXT_MAX = 1024, /* bytes of a text that are printed */
	BYTES_MAX = 64,
};

/* ---- tables -----------------------------------------------------------------------------------
 */

/* The database has no validity flags, and rasdaemon leaves a field that is not valid 0: one that is
 * 0 is not known. The bits are those of events/record_vouch.c. */
enum { NO_BIT = -1 };

struct column {
	const char *name;   /* in the database; NULL ends */
	const char *member; /* in the object */
	int validity;	    /* bit, or NO_BIT */
};

struct table {
	const char *name;
	const char *event; /* NULL: its rows are lines of ras-mc-ctl */
	const struct column *columns;
};

#define PLAIN(name)                                                                                \
	{                                                                                          \
		name, name, NO_BIT                                                                 \
	}
#define VALID(name, bit)                                                                           \
	{                                                                                          \
		name, name, bit                                                                    \
	}
#define HEAD PLAIN("memdev"), PLAIN("host"), PLAIN("serial")
#define LOGGED                                                                                     \
	HEAD, {"log_type", "log", NO_BIT}, PLAIN("hdr_flags"), PLAIN("hdr_handle"),                \
		PLAIN("hdr_related_handle"), PLAIN("hdr_maint_op_class")
#define ADDRESSED                                                                                  \
	PLAIN("dpa"), PLAIN("dpa_flags"), PLAIN("descriptor"), PLAIN("type"),                      \
		PLAIN("transaction_type"), PLAIN("hpa"), {"region", "region_name", NO_BIT},        \
		PLAIN("sub_type"), PLAIN("cme_threshold_ev_flags")

static const struct column general_media[] = {LOGGED,
					      ADDRESSED,
					      VALID("channel", 0),
					      VALID("rank", 1),
					      VALID("device", 2),
					      VALID("comp_id", 3),
					      PLAIN("cme_count"),
					      {0}};
static const struct column dram[] = {LOGGED,
				     ADDRESSED,
				     VALID("channel", 0),
				     VALID("rank", 1),
				     VALID("nibble_mask", 2),
				     VALID("bank_group", 3),
				     VALID("bank", 4),
				     VALID("row", 5),
				     VALID("column", 6),
				     VALID("cor_mask", 7),
				     VALID("comp_id", 8),
				     PLAIN("cvme_count"),
				     {0}};
static const struct column memory_module[] = {LOGGED,
					      PLAIN("event_type"),
					      PLAIN("health_status"),
					      PLAIN("media_status"),
					      PLAIN("life_used"),
					      PLAIN("dirty_shutdown_cnt"),
					      PLAIN("cor_vol_err_cnt"),
					      PLAIN("cor_per_err_cnt"),
					      PLAIN("device_temp"),
					      PLAIN("add_status"),
					      PLAIN("event_sub_type"),
					      VALID("comp_id", 0),
					      {0}};
static const struct column poison[] = {HEAD,
				       PLAIN("trace_type"),
				       {"region", "region", NO_BIT},
				       PLAIN("hpa"),
				       PLAIN("dpa"),
				       PLAIN("dpa_length"),
				       PLAIN("source"),
				       PLAIN("flags"),
				       {0}};
static const struct column aer_uncorrectable[] = {
	HEAD, {"error_status", "status", NO_BIT}, PLAIN("first_error"), {0}};
static const struct column aer_correctable[] = {HEAD, {"error_status", "status", NO_BIT}, {0}};
static const struct column controller[] = {PLAIN("err_count"),
					   PLAIN("err_type"),
					   PLAIN("err_msg"),
					   PLAIN("label"),
					   PLAIN("address"),
					   PLAIN("grain"),
					   {0}};
static const struct column machine_check[] = {PLAIN("status"),	  PLAIN("addr"),      PLAIN("misc"),
					      PLAIN("cpuvendor"), PLAIN("error_msg"), {0}};
static const struct column memory_failure[] = {
	PLAIN("pfn"), PLAIN("page_type"), PLAIN("action_result"), {0}};

static const struct table tables[] = {
	{"cxl_general_media_event", "cxl_general_media", general_media},
	{"cxl_dram_event", "cxl_dram", dram},
	{"cxl_memory_module_event", "cxl_memory_module", memory_module},
	{"cxl_poison_event", "cxl_poison", poison},
	{"cxl_aer_ue_event", "cxl_aer_uncorrectable_error", aer_uncorrectable},
	{"cxl_aer_ce_event", "cxl_aer_correctable_error", aer_correctable},
	{"mc_event", NULL, controller},
	{"mce_record", NULL, machine_check},
	{"memory_failure_event", NULL, memory_failure},
};

/* ---- values -----------------------------------------------------------------------------------
 */

/* Words that the reader of objects knows as numbers. */
static json_t *number_of_word(const char *column, const char *text)
{
	static const struct {
		const char *column, *word;
		int value;
	} words[] = {
		{"log_type", "Informational", 0}, {"log_type", "Warning", 1},
		{"log_type", "Failure", 2},	  {"log_type", "Fatal", 3},
		{"trace_type", "List", 0},	  {"trace_type", "Inject", 1},
		{"trace_type", "Clear", 2},	  {"source", "Unknown", 0},
		{"source", "External", 1},	  {"source", "Internal", 2},
		{"source", "Injected", 3},	  {"source", "Vendor", 7},
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_equal(words[i].column, column) && str_equal(words[i].word, text))
			return json_integer(words[i].value);
	return NULL;
}

static json_t *text_value(const char *column, const char *text)
{
	char plain[TEXT_MAX];

	if (str_equal(column, "log_type") || str_equal(column, "trace_type") ||
	    str_equal(column, "source"))
		return number_of_word(column, text);
	(void)snprintf(plain, sizeof(plain), "%s", text);
	str_make_plain(plain);
	return plain[0] ? json_string(plain) : NULL;
}

static json_t *bytes_value(const uint8_t *bytes, int n)
{
	json_t *array = json_array();

	for (int i = 0; i < n && i < BYTES_MAX; i++)
		(void)json_array_append_new(array, json_integer(bytes[i]));
	return array;
}

static json_t *value_of(sqlite3_stmt *stmt, int i, const char *column)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		return json_integer(sqlite3_column_int64(stmt, i));
	case SQLITE_TEXT:
		return text_value(column, (const char *)sqlite3_column_text(stmt, i));
	case SQLITE_BLOB:
		return bytes_value(sqlite3_column_blob(stmt, i), sqlite3_column_bytes(stmt, i));
	default:
		return NULL;
	}
}

static bool is_zero(const json_t *value)
{
	for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++)
		if (json_integer_value(json_array_get(value, i)))
			return false;
	return json_is_array(value) || !json_is_integer(value) || json_integer_value(value) == 0;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* The columns of a table that are known, in the order of the statement behind the timestamp. */
struct selection {
	const struct table *table;
	const struct column *columns[COLUMNS_MAX];
	int n;
};

static json_t *object_of(const struct selection *s, sqlite3_stmt *stmt)
{
	json_t *object = json_object();
	json_int_t validity = 0;
	bool has_validity = false;

	for (int i = 0; i < s->n; i++) {
		const struct column *c = s->columns[i];
		json_t *value = value_of(stmt, i + 1, c->name);

		has_validity |= c->validity != NO_BIT;
		if (value && c->validity != NO_BIT && is_zero(value)) {
			json_decref(value);
			continue;
		}
		if (value && c->validity != NO_BIT)
			validity |= (json_int_t)1 << c->validity;
		if (value)
			(void)json_object_set_new(object, c->member, value);
	}
	if (has_validity)
		(void)json_object_set_new(object, "validity_flags", json_integer(validity));
	return object;
}

static const char *word(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

static uint64_t number(const json_t *object, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(object, name));
}

/* The kernel's numbers; without one the processor is not known. */
static const char *vendor_of(const json_t *o)
{
	const json_t *vendor = json_object_get(o, "cpuvendor");

	if (!json_is_integer(vendor))
		return "";
	return json_integer_value(vendor) == 0 ? ", vendor: 0" : ", vendor: 2";
}

/* A row of the host as the text that other programs make of it. */
static void host_line(const struct table *t, const json_t *o, char *ret, size_t size)
{
	if (t->columns == controller)
		(void)snprintf(ret, size,
			       "1 %" PRIu64
			       " %s error(s): %.300s at %.200s location: 0:0:0:0, addr %" PRIu64
			       ", grain %" PRIu64 ", syndrome 0",
			       number(o, "err_count"), word(o, "err_type"), word(o, "err_msg"),
			       word(o, "label"), number(o, "address"), number(o, "grain"));
	else if (t->columns == machine_check)
		(void)snprintf(ret, size,
			       "1 error: %.300s%s, status=0x%" PRIx64 ", addr=0x%" PRIx64
			       ", misc=0x%" PRIx64 ",",
			       word(o, "error_msg"), vendor_of(o), number(o, "status"),
			       number(o, "addr"), number(o, "misc"));
	else
		(void)snprintf(ret, size,
			       "memory_failure_event: pfn=%s page_type=%.200s action_result=%.200s",
			       word(o, "pfn"), word(o, "page_type"), word(o, "action_result"));
}

static int print_row(const struct selection *s, sqlite3_stmt *stmt, FILE *out)
{
	json_t *row = json_object(), *object = object_of(s, stmt);
	char text[TEXT_MAX + 128];
	json_t *when = value_of(stmt, 0, "timestamp");
	int r;

	if (when)
		(void)json_object_set_new(row, "timestamp", when);
	if (s->table->event) {
		(void)json_object_set_new(object, "event", json_string(s->table->event));
		(void)json_object_set_new(row, "record", object);
	} else {
		host_line(s->table, object, text, sizeof(text));
		(void)json_object_set_new(row, "line", json_string(text));
		json_decref(object);
	}
	r = json_dumpf(row, out, JSON_COMPACT | JSON_ENSURE_ASCII) < 0 || fputc('\n', out) == EOF;
	json_decref(row);
	return r ? -EPIPE : 0;
}

static void rows_finalize(sqlite3_stmt **stmt)
{
	(void)sqlite3_finalize(*stmt);
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* Only reading is allowed, and no function. */
static int authorize(void *userdata, int action, const char *a, const char *b, const char *c,
		     const char *d)
{
	(void)userdata, (void)a, (void)b, (void)c, (void)d;
	return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static int sql_failed(sqlite3 *db, struct error *e)
{
	return error_set(e, EBADMSG, "the database cannot be read: %s",
			 db ? sqlite3_errmsg(db) : "out of memory");
}

/* Virtual tables and views run code of others. Return: 1, 0 without such a table, or an error. */
static int has_table(sqlite3 *db, const char *name, struct error *e)
{
	_cleanup_(rows_finalize) sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(
		db, "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1", -1,
		&stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		return sqlite3_column_int64(stmt, 0) > 0;
	return rc == SQLITE_DONE ? 0 : sql_failed(db, e);
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(db, NULL, table, column, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

static int prepare(sqlite3 *db, struct selection *s, uint64_t rows_max, sqlite3_stmt **ret,
		   struct error *e)
{
	char sql[SQL_TEXT_MAX];
	int n = snprintf(sql, sizeof(sql), "SELECT %s",
			 has_column(db, s->table->name, "timestamp") ? "\"timestamp\"" : "NULL");

	for (const struct column *c = s->table->columns; c->name; c++) {
		if (!has_column(db, s->table->name, c->name))
			continue;
		s->columns[s->n++] = c;
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ", \"%s\"", c->name);
	}
	(void)snprintf(sql + n, sizeof(sql) - (size_t)n,
		       " FROM \"%s\" ORDER BY rowid DESC LIMIT %" PRIu64, s->table->name,
		       rows_max + 1);
	return sqlite3_prepare_v2(db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : sql_failed(db, e);
}

static int print_table(sqlite3 *db, const struct table *t, FILE *out, uint64_t rows_max,
		       bool *ret_more, struct error *e)
{
	_cleanup_(rows_finalize) sqlite3_stmt *stmt = NULL;
	struct selection s = {.table = t};
	uint64_t n = 0;
	int rc = SQLITE_DONE, r = prepare(db, &s, rows_max, &stmt, e);

	while (r == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (n++ == rows_max) {
			*ret_more = true;
			return 0;
		}
		r = print_row(&s, stmt, out);
	}
	if (r == -EPIPE)
		return error_set(e, EPIPE, "the rest was not taken");
	return r == 0 && rc != SQLITE_DONE ? sql_failed(db, e) : r;
}

static int print_tables(sqlite3 *db, FILE *out, uint64_t rows_max, struct error *e)
{
	bool any = false, more = false;
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tables) && r >= 0; i++) {
		r = has_table(db, tables[i].name, e);
		any |= r > 0;
		if (r > 0)
			r = print_table(db, &tables[i], out, rows_max, &more, e);
	}
	if (r < 0)
		return r;
	if (!any)
		return error_set(
			e, EBADMSG,
			"the database has no table of rasdaemon: give its ras-mc_event.db");
	if (more)
		(void)error_set(e, 0, "only the newest %" PRIu64 " rows of each table are read",
				rows_max);
	return 0;
}

static int set_up(sqlite3 *db)
{
	static const struct {
		int limit, value;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, VALUE_MAX},
		{SQLITE_LIMIT_SQL_LENGTH, SQL_TEXT_MAX * 8},
		{SQLITE_LIMIT_COLUMN, 2 * COLUMNS_MAX},
		{SQLITE_LIMIT_EXPR_DEPTH, 16},
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		(void)sqlite3_limit(db, limits[i].limit, limits[i].value);
	(void)sqlite3_hard_heap_limit64(HEAP_MAX);
	if (sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) != SQLITE_OK ||
	    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK ||
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, "PRAGMA cell_size_check = 1", NULL, NULL, NULL) != SQLITE_OK)
		return -EIO;
	return sqlite3_set_authorizer(db, authorize, NULL) == SQLITE_OK ? 0 : -EIO;
}

int rasdaemon_rows_open(int in, sqlite3 **ret, struct error *e)
{
	char uri[64];
	int r;

	*ret = NULL;
	(void)snprintf(uri, sizeof(uri), "file:/proc/self/fd/%d?immutable=1", in);
	if (sqlite3_open_v2(uri, ret, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
			    NULL) == SQLITE_OK)
		return 0;
	r = sql_failed(*ret, e);
	(void)sqlite3_close(*ret);
	*ret = NULL;
	return r;
}

int rasdaemon_rows_print(sqlite3 *db, int out, uint64_t rows_max, struct error *e)
{
	FILE *lines = fdopen(dup(out), "w");
	int r;

	if (!lines)
		return error_set(e, ENOMEM, "out of memory");
	r = set_up(db) < 0 ? sql_failed(db, e) : print_tables(db, lines, rows_max, e);
	if (fclose(lines) == EOF && r == 0)
		r = error_set(e, EPIPE, "the rest was not taken");
	return r;
}
