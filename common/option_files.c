// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/option_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf_file.h"
#include "common/strutil.h"

/* Return: the index of the key's row; the number of rows when there is none. */
static size_t find_key(const struct option_table *t, const char *key)
{
	size_t i = 0;

	while (i < t->n_rows &&
	       (t->rows[i].not_key || t->rows[i].stop || !str_equal(t->rows[i].name, key)))
		i++;
	return i;
}

/* Stores a value, and where it is from. */
static int take_value(struct option_files *f, size_t i, unsigned int line, const char *value,
		      struct error *e)
{
	const struct option_row *row = &f->table->rows[i];
	const struct option_list *list = (const void *)((const char *)f->values + row->offset);
	const bool overruled = f->given >> i & 1;
	const size_t k = option_is_list(row) ? list->n : 0;
	const int r = option_store(row, value, NULL, overruled ? f->overruled : f->values, e);

	if (r == 0 && !overruled)
		f->origins[i][k] = (struct option_origin){
			.line = (uint16_t)line,
			.file = (uint8_t)(f->n - 1),
		};
	return r;
}

/* conf_line_fn */
static int take_line(void *userdata, unsigned int line, const char *key, const char *value,
		     struct error *e)
{
	struct option_files *f = userdata;
	const size_t i = find_key(f->table, key);
	const struct option_row *row = &f->table->rows[i];
	char *copy;

	if (i == f->table->n_rows && f->other_keys)
		return 0;
	if (i == f->table->n_rows)
		return error_set(e, EINVAL, "there is no such key");
	if (!*value)
		return error_set(e, EINVAL, "has no value");
	if (!option_is_list(row) && (f->seen >> i & 1))
		return error_set(e, EINVAL, "is given twice in this file");
	f->seen |= UINT64_C(1) << i;
	copy = arena_strdup(f->arena, value);
	if (!copy)
		return error_set(e, ENOMEM, "out of memory");
	return take_value(f, i, line, copy, e);
}

int option_files_read(struct option_files *f, const char *path, struct error *e)
{
	char *name;

	if (f->n == OPTION_FILES_MAX)
		return error_set(e, E2BIG, "%s: there are more than %d configuration files", path,
				 OPTION_FILES_MAX);
	name = arena_strdup(f->arena, path);
	if (!name)
		return error_set(e, ENOMEM, "out of memory");
	f->names[f->n++] = name;
	f->seen = 0;
	return conf_read_file(name, take_line, f, e);
}

/* The locale, which alphasort() would use, has no influence. */
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_conf(const struct dirent *entry)
{
	const char *end = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && str_equal(end, ".conf");
}

static int read_entry(struct option_files *f, const char *path, const char *name, struct error *e)
{
	const char *file = arena_printf(f->arena, "%s/%s", path, name);

	return file ? option_files_read(f, file, e) : error_set(e, ENOMEM, "out of memory");
}

int option_files_read_directory(struct option_files *f, const char *path, struct error *e)
{
	struct dirent **entries = NULL;
	const int n = scandir(path, &entries, is_conf, compare_entries);
	int r = 0;

	if (n < 0 && errno == ENOENT)
		return 0;
	if (n < 0)
		return error_set(e, errno, "cannot read the configuration directory %s: %s", path,
				 strerror(errno));
	if (n > OPTION_FILES_MAX)
		r = error_set(e, E2BIG, "%s: there are more than %d configuration files", path,
			      OPTION_FILES_MAX);
	for (int i = 0; i < n; i++) {
		if (r == 0)
			r = read_entry(f, path, entries[i]->d_name, e);
		free(entries[i]);
	}
	free(entries);
	return r;
}

int option_files_read_all(struct option_files *f, const char *file, struct error *e)
{
	const char *name = file ? file : CONFIG_FILE;
	char *directory = arena_printf(f->arena, "%s.d", name);
	int r;

	if (!directory)
		return error_set(e, ENOMEM, "out of memory");
	r = option_files_read(f, name, e);
	if (r == -ENOENT && !file) {
		f->n = 0;
		r = 0;
	}
	return r == 0 ? option_files_read_directory(f, directory, e) : r;
}

int option_files_read_keys(const struct option_table *table, struct arena *arena, void *values,
			   size_t size, struct error *e)
{
	struct option_files f = {
		.table = table,
		.arena = arena,
		.values = values,
		.overruled = arena_alloc(arena, size),
		.other_keys = true,
	};

	return f.overruled ? option_files_read_all(&f, NULL, e)
			   : error_set(e, ENOMEM, "out of memory");
}

int option_files_read_key(const struct option_row *row, struct arena *arena, void *value,
			  size_t size, struct error *e)
{
	const struct option_table table = {row, 1};

	return option_files_read_keys(&table, arena, value, size, e);
}

bool option_files_have(const struct option_files *f, const char *key, size_t i)
{
	const size_t row = find_key(f->table, key);

	return row < f->table->n_rows && i < OPTION_LIST_MAX && f->origins[row][i].line > 0;
}

void option_files_locate(const struct option_files *f, const char *key, size_t i, struct error *e)
{
	const struct option_origin *o;

	if (!option_files_have(f, key, i))
		return;
	o = &f->origins[find_key(f->table, key)][i];
	error_prefix(e, "%s:%u", f->names[o->file], o->line);
}
