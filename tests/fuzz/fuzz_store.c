// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any bytes as a store. The input is a list of changes to a valid one with 40 events, some in its
 * write-ahead log, six bytes each: operation, offset (3 bytes), value (2 bytes); after a first byte
 * of 0xff it is the file itself. Every call must return, the store can be opened, and after it was
 * set aside events can be stored.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "tests/fuzz/fuzz_table.h"
#include "tests/lib/store_util.h"

enum { EVENTS = 40, CHANGE = 6, IMAGE_MAX = 8 * 1024 * 1024 };

static char directory[64];
static struct image {
	char path[80];
	char *good, *bytes;
	size_t good_len, len;
} images[2]; /* the file and its log */

static struct store_options options = {.path = images[0].path, .max_records = 1000};

static void empty_directory(void)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;

	FUZZ_MUST(dir != NULL);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			FUZZ_MUST(unlinkat(dirfd(dir), entry->d_name, 0) == 0);
	(void)closedir(dir);
}

static void remove_directory(void)
{
	empty_directory();
	(void)rmdir(directory);
}

static void append(struct store *s, uint64_t i, int *ret)
{
	struct stored_event event;

	made_event(i, &event);
	event.pending = i == EVENTS - 1;
	*ret = store_append(s, &event, 1, NULL);
}

static void make_images(void)
{
	struct store *s, *again;
	int r;

	(void)snprintf(directory, sizeof(directory), "/dev/shm/fuzz-store.XXXXXX");
	FUZZ_MUST(mkdtemp(directory) != NULL && atexit(remove_directory) == 0);
	(void)snprintf(images[0].path, sizeof(images[0].path), "%s/events.db", directory);
	(void)snprintf(images[1].path, sizeof(images[1].path), "%s/events.db-wal", directory);
	FUZZ_MUST(store_open(&options, &s, NULL) == 0);
	for (uint64_t i = 0; i < EVENTS / 2; i++)
		append(s, i, &r);
	(void)store_close(s);
	FUZZ_MUST(store_open(&options, &again, NULL) == 0);
	for (uint64_t i = EVENTS / 2; i < EVENTS; i++)
		append(again, i, &r);
	for (size_t i = 0; i < 2; i++) {
		FUZZ_MUST(read_file_at(AT_FDCWD, images[i].path, IMAGE_MAX, &images[i].good,
				       &images[i].good_len) == 0);
		images[i].bytes = malloc(images[i].good_len);
		FUZZ_MUST(images[i].bytes != NULL);
	}
	(void)store_close(again);
}

static void change(const uint8_t *c)
{
	struct image *image = &images[c[0] & 1];
	size_t at = ((size_t)c[1] << 16 | (size_t)c[2] << 8 | c[3]) % image->good_len;

	if (at >= image->len)
		return;
	if ((c[0] & 6) == 6) {
		image->len = at;
	} else if (c[0] & 8 && at / 4096 * 4096 + 2 <= image->len) {
		/* The header of a page describes its structure. */
		at = at / 4096 * 4096 + c[3] % 16;
	}
	if (at + 2 <= image->len)
		memcpy(image->bytes + at, c + 4, 2);
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	FUZZ_MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
}

static void write_images(const uint8_t *data, size_t size)
{
	if (size && data[0] == 0xff) {
		write_file(images[0].path, data + 1, size - 1);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		images[i].len = images[i].good_len;
		memcpy(images[i].bytes, images[i].good, images[i].len);
	}
	for (size_t i = 0; i + CHANGE <= size; i += CHANGE)
		change(data + i);
	for (size_t i = 0; i < 2; i++)
		write_file(images[i].path, images[i].bytes, images[i].len);
}

static int touch(void *userdata, const struct stored_event *event)
{
	FUZZ_MUST(event->record.payload_len <= EVENT_PAYLOAD_MAX);
	FUZZ_MUST(memchr(event->record.event, 0, sizeof(event->record.event)) != NULL);
	++*(uint64_t *)userdata;
	return 0;
}

static int touch_total(void *userdata, const struct event_total *total)
{
	(void)userdata;
	FUZZ_MUST(memchr(total->device, 0, sizeof(total->device)) != NULL);
	FUZZ_MUST((size_t)total->type < EVENT_TYPES);
	return 0;
}

static void read_all(void)
{
	uint64_t counts[STORE_COUNTS];
	static const struct event_filter filters[] = {
		{0},
		{.device = "cxl-1", .severities = 7},
		{.has_spa = true, .spa_last = UINT64_MAX},
		{.created_first = OPT_U64(1)},
	};
	struct store_reader *r;
	struct store_info info;
	bool stop = false;

	if (store_reader_open(images[0].path, &r, NULL) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct event_page page = {.max = 100, .backwards = i % 2};
		uint64_t n = 0;

		(void)store_read_page(r, &filters[i], &page, touch, &n, NULL);
		FUZZ_MUST(n <= 100);
		(void)store_count(r, &filters[i], &n, NULL);
	}
	(void)store_read_info(r, &info, NULL);
	(void)store_read_totals(r, touch_total, NULL, NULL);
	(void)store_read_counts(r, counts, NULL);
	(void)store_check(r, &stop, NULL);
	(void)store_reader_close(r);
}

static void use(void)
{
	struct store *s;
	bool more;
	int r;

	FUZZ_MUST(store_open(&options, &s, NULL) == 0);
	read_all();
	append(s, 100, &r);
	if (r == 0)
		r = store_clear(s, "cxl-1", UINT64_MAX, &more, NULL);
	if (r == 0)
		r = store_expire(s, UINT64_MAX, &more, NULL);
	FUZZ_MUST(r == 0 || r == -EBADMSG);
	if (r == 0) {
		(void)store_close(s);
		return;
	}
	(void)store_set_aside(s, "damaged");
	FUZZ_MUST(store_open(&options, &s, NULL) == 0);
	append(s, 100, &r);
	FUZZ_MUST(r == 0);
	(void)store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!directory[0])
		make_images();
	empty_directory();
	write_images(data, size);
	read_all();
	use();
	return 0;
}
