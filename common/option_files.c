// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/option_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
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

struct names {
	char *all[OPTION_FILES_MAX];
	size_t n;
};

static void names_done(struct names *names)
{
	while (names->n > 0)
		free(names->all[--names->n]);
}

/* The locale, which strcoll() would use, has no influence. */
static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_conf(const char *name)
{
	const char *end = strrchr(name, '.');

	return name[0] != '.' && str_equal(end, ".conf");
}

/* Return: 0 with the sorted names; after an error, too, they are to be freed. */
static int list_names(DIR *dir, struct names *ret)
{
	struct dirent *entry;

	while ((errno = 0, entry = readdir(dir))) {
		if (!is_conf(entry->d_name))
			continue;
		if (ret->n == OPTION_FILES_MAX)
			return -E2BIG;
		ret->all[ret->n] = strdup(entry->d_name);
		if (!ret->all[ret->n])
			return -ENOMEM;
		ret->n++;
	}
	if (errno)
		return -errno;
	qsort(ret->all, ret->n, sizeof(ret->all[0]), compare_names);
	return 0;
}

static int read_names(struct option_files *f, const char *path, const struct names *names,
		      struct error *e)
{
	for (size_t i = 0; i < names->n; i++) {
		char *file = arena_printf(f->arena, "%s/%s", path, names->all[i]);
		int r = file ? option_files_read(f, file, e)
			     : error_set(e, ENOMEM, "out of memory");

		if (r < 0)
			return r;
	}
	return 0;
}

int option_files_read_directory(struct option_files *f, const char *path, struct error *e)
{
	_cleanup_closedir_ DIR *dir = opendir(path);
	struct names names = {.n = 0};
	int r;

	if (!dir && errno == ENOENT)
		return 0;
	r = dir ? list_names(dir, &names) : -errno;
	if (r == -E2BIG)
		r = error_set(e, r, "%s: there are more than %d configuration files", path,
			      OPTION_FILES_MAX);
	else if (r < 0)
		r = error_set(e, r, "cannot read the configuration directory %s: %s", path,
			      strerror(-r));
	else
		r = read_names(f, path, &names, e);
	names_done(&names);
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

void option_files_locate(const struct option_files *f, const char *key, size_t i, struct error *e)
{
	const size_t row = find_key(f->table, key);
	const struct option_origin *o;

	if (row == f->table->n_rows || i >= OPTION_LIST_MAX)
		return;
	o = &f->origins[row][i];
	if (o->line > 0)
		error_prefix(e, "%s:%u", f->names[o->file], o->line);
}
