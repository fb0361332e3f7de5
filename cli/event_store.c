// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/event_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "events/event_fill.h"
#include "events/replay.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "redfish/state/state.h"

enum {
	PATH_BYTES = 512,
	LOG_PATH_BYTES = 4096,
	BATCH_EVENTS = 256,
	CAPTURED_MAX = 1000000, /* events; the oldest are left out of more */
};

struct reading {
	event_store_fn *read;
	void *userdata;
	struct store_found *found; /* of a host without a log; NULL without */
};

/* Return: 0; -EBADMSG when a part cannot be read; or another negative errno. */
static int read_store(const char *path, const struct reading *reading, struct error *e)
{
	struct store_reader *r = NULL;
	int result = store_reader_open(path, &r, e);

	if (result == 0)
		result = reading->read(r, reading->userdata, e);
	if (result == 0 && store_reader_found_damage(r))
		result = error_set(e, EBADMSG, "%s is damaged", path);
	(void)store_reader_close(r);
	return result;
}

/* ---- the log ---- */

static bool log_path(const struct cli *cli, char ret[static LOG_PATH_BYTES])
{
	const char *state = cli->events.state;

	return snprintf(ret, LOG_PATH_BYTES, "%s/" STORE_FILE, state ? state : STATE_DEFAULT) <
	       LOG_PATH_BYTES;
}

static int read_service_log(const struct cli *cli, const struct reading *reading, struct error *e)
{
	char path[LOG_PATH_BYTES];

	if (!log_path(cli, path))
		return error_set(e, ENAMETOOLONG, "the path of --state is too long");
	return read_store(path, reading, e);
}

bool event_store_is_recorded(const struct cli *cli)
{
	char path[LOG_PATH_BYTES];

	if (cli->host_path)
		return faccessat(cli->root->dirfd, "events", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	return cli->events.state || !log_path(cli, path) || access(path, F_OK) == 0 ||
	       errno != ENOENT;
}

/* ---- a host without a log ---- */

struct captured_events {
	struct event_mapping *mapping;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	struct store *store;
	uint64_t boottime; /* of the newest record */
	char clock[EVENT_CLOCK_MAX];
	struct stored_event *batch;
	size_t n;
	struct error problem; /* of storing them */
};

static void store_batch(struct captured_events *c)
{
	if (!c->problem.code)
		(void)store_append(c->store, c->batch, c->n, &c->problem);
	c->n = 0;
}

static void take_record(const struct event_record *rec, void *userdata)
{
	struct captured_events *c = userdata;
	struct stored_event *ev = &c->batch[c->n++];

	event_fill(c->mapping, c->boot_id, rec, &provenance_live, 0, ev, NULL);
	ev->pending = false; /* the answer without firmware is the last one */
	if (rec->time_ns > c->boottime)
		c->boottime = rec->time_ns;
	(void)snprintf(c->clock, sizeof(c->clock), "%s", rec->clock);
	if (c->n == BATCH_EVENTS)
		store_batch(c);
}

/* @events: a directory; -1: there are none */
static int store_records(const struct cli *cli, int events, const char *path,
			 struct store_found *found, struct error *e)
{
	struct captured_events c = {.batch = calloc(BATCH_EVENTS, sizeof(*c.batch))};
	struct store_options options = {
		.path = path,
		.max_records = CAPTURED_MAX,
		.boottime = &c.boottime,
		.trace_clock = c.clock,
	};
	struct event_counts counts;
	int r = c.batch ? 0 : -ENOMEM;

	if (r == 0)
		r = event_mapping_new(cli->host, cli->addresses.translator, &c.mapping, e);
	event_boot_id(cli->root, c.boot_id);
	memcpy(options.boot_id, c.boot_id, sizeof(options.boot_id));
	if (r == 0)
		r = store_open(&options, &c.store, e);
	if (r == 0 && events >= 0)
		r = event_replay(events, take_record, &c, &counts, e);
	if (c.n)
		store_batch(&c);
	if (c.store && found && !c.problem.code)
		(void)store_set_found(c.store, found, &c.problem);
	(void)store_close(c.store);
	(void)event_mapping_unref(c.mapping);
	free(c.batch);
	if (r >= 0 && c.problem.code) {
		*e = c.problem;
		r = -c.problem.code;
	}
	return r;
}

static int read_records(const struct cli *cli, int events, const char *directory,
			const struct reading *reading, struct error *e)
{
	struct error of_store = {0};
	char path[PATH_BYTES];
	int r, result;

	(void)snprintf(path, sizeof(path), "%s/" STORE_FILE, directory);
	r = store_records(cli, events, path, reading->found, e);
	if (r == -ENOENT && !reading->found)
		return 0; /* the capture may have no event records */
	if (r < 0 && r != -EBADMSG && r != -ENOENT)
		return r;
	result = read_store(path, reading, &of_store); /* what can be read counts */
	if (r == -ENOENT)
		r = 0;
	if (r == 0 && result < 0)
		*e = of_store;
	return r < 0 ? r : result;
}

static void remove_directory(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.')
			(void)unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		(void)closedir(d);
	(void)rmdir(path);
}

static void block_signals(sigset_t *ret_before)
{
	sigset_t ends;

	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGINT);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigaddset(&ends, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &ends, ret_before);
}

static int read_without_log(const struct cli *cli, const struct reading *reading, struct error *e)
{
	_cleanup_close_ int events =
		cli->host_path ? openat(cli->root->dirfd, "events",
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			       : -1;
	const char *tmp = getenv("TMPDIR");
	char directory[PATH_BYTES - sizeof("/" STORE_FILE)];
	sigset_t before;
	int r;

	if (events < 0 && !reading->found)
		return 0;
	if (snprintf(directory, sizeof(directory), "%s/cxl-spa-XXXXXX",
		     tmp && tmp[0] ? tmp : "/tmp") >= (int)sizeof(directory))
		return error_set(e, ENAMETOOLONG, "the path in TMPDIR is too long");
	block_signals(&before); /* the directory does not stay behind */
	if (mkdtemp(directory)) {
		r = read_records(cli, events, directory, reading, e);
		remove_directory(directory);
	} else {
		r = error_set(e, errno, "no directory for them can be made as %s: %s", directory,
			      strerror(errno));
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}

int event_store_read(const struct cli *cli, struct store_found *found, event_store_fn *read,
		     void *userdata, struct error *e)
{
	const struct reading reading = {read, userdata, found && found->n ? found : NULL};

	if (!cli->host_path && event_store_is_recorded(cli))
		return read_service_log(cli, &reading, e);
	return read_without_log(cli, &reading, e);
}
