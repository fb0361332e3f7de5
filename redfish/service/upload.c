// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "http/limits.h"
#include "http/multipart.h"
#include "http/negotiation.h"

enum upload_part { PART_NONE, PART_PARAMETERS, PART_FILE };

struct upload {
	struct http_sink sink; /* first member */
	atomic_uint references;
	struct uploads *all;
	bool holds_place; /* it is the one that all->busy is about */

	struct multipart parser;
	enum upload_part part; /* that is being received */
	bool has_parameters, has_file;
	char *parameters;
	size_t parameters_len;

	int fd;		    /* of the image; -1: not created yet, or taken */
	uint64_t announced; /* bytes of the body by its head; 0: not known */
	uint64_t size;	    /* of the image so far, with what is in the block */
	uint64_t in_file;   /* of it, what was written */
	char *block;	    /* UPLOAD_BLOCK bytes and those that one call can add */
	size_t block_len;

	bool failed, in_turn; /* by another upload */
	struct message why;
	_Atomic(struct http_pending *) pending; /* while a block is being written */
};

/* The bytes that the transport gives at a time, and those that the parser had kept back. */
enum { BLOCK_SIZE = UPLOAD_BLOCK + HTTP_HEAD_MAX + MULTIPART_LINE_MAX };

/* ---- uploads ----------------------------------------------------------------------------------
 */

int uploads_set_directory(struct uploads *u, const char *path)
{
	u->directory = strdup(path);
	return u->directory ? 0 : -ENOMEM;
}

void uploads_done(struct uploads *u)
{
	free(u->directory);
	u->directory = NULL;
}

/* ---- failure ----------------------------------------------------------------------------------
 */

static int upload_fail(struct upload *u, unsigned int status, const char *why)
{
	if (u->failed)
		return -EIO;
	u->failed = true;
	message_set(&u->why, MESSAGE_UPLOAD_REFUSED, why, NULL, NULL);
	u->why.status = status;
	return -EIO;
}

static int upload_fail_busy(struct upload *u)
{
	u->failed = true;
	message_set(&u->why, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL, NULL);
	return -EBUSY;
}

/* ---- the file: in jobs ------------------------------------------------------------------------
 */

/* Without a name at once: nothing is left behind but, after a crash in between, an empty file. */
static int create_file(struct upload *u)
{
	char path[4096];
	const int n = snprintf(path, sizeof(path), "%s/image.XXXXXX", u->all->directory);

	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	u->fd = mkostemp(path, O_CLOEXEC);
	if (u->fd < 0)
		return -errno;
	return unlink(path) < 0 ? -errno : 0;
}

/* Return: 0; -ENOSPC when less than UPLOAD_FREE_MIN would stay free. */
static int check_space(const struct upload *u, uint64_t *ret_free)
{
	const uint64_t rest = u->announced > u->in_file ? u->announced - u->in_file : u->block_len;
	struct statvfs fs;

	if (fstatvfs(u->fd, &fs) < 0)
		return -errno;
	*ret_free = (uint64_t)fs.f_bavail * fs.f_frsize;
	return *ret_free < rest || *ret_free - rest < UPLOAD_FREE_MIN ? -ENOSPC : 0;
}

static int write_block(struct upload *u)
{
	size_t done = 0;

	while (done < u->block_len) {
		const ssize_t n = write(u->fd, u->block + done, u->block_len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		done += (size_t)n;
	}
	u->in_file += u->block_len;
	u->block_len = 0;
	return 0;
}

static void fail_write(struct upload *u, int r, uint64_t bytes_free)
{
	char text[MESSAGE_ARG_MAX];

	if (r == -ENOSPC || r == -EDQUOT)
		(void)snprintf(text, sizeof(text),
			       "the state directory has %" PRIu64
			       " MiB free, of which %d MiB are kept free; make space there",
			       bytes_free >> 20, UPLOAD_FREE_MIN >> 20);
	else
		(void)snprintf(text, sizeof(text),
			       "the image cannot be written to the state directory: %s",
			       strerror(-r));
	(void)upload_fail(u, r == -ENOSPC || r == -EDQUOT ? 507 : 500, text);
}

static int upload_run(struct job *job, void *state)
{
	struct upload *u = state;
	uint64_t bytes_free = 0;
	int r = 0;

	(void)job;
	if (u->fd < 0)
		r = create_file(u);
	if (r == 0)
		r = check_space(u, &bytes_free);
	if (r == 0)
		r = write_block(u);
	if (r < 0)
		fail_write(u, r, bytes_free);
	return r;
}

/* The connection continues; what follows sees whether it failed. */
static void upload_resume(struct upload *u)
{
	struct http_pending *pending = atomic_exchange(&u->pending, NULL);

	if (pending)
		pending->again(pending, 0);
}

static void upload_end(struct job *job, void *state, int result)
{
	struct upload *u = state;

	(void)job;
	/* It did not run: the service ends. */
	if (result < 0 && !u->failed)
		(void)upload_fail_busy(u);
	upload_resume(u);
}

/* run() is stuck in a system call: the upload is left as it is, and its connection ends. */
static void upload_abandon(struct job *job, void *state)
{
	(void)job;
	upload_resume(state);
}

static void upload_release(void *state)
{
	(void)upload_unref(state);
}

static const struct job_ops upload_ops = {
	.class = JOB_UPLOADS,
	.runs_late = true,
	.run = upload_run,
	.end = upload_end,
	.abandon = upload_abandon,
	.free = upload_release,
};

/* Has the block written while the connection waits. Return: 0; -EBUSY. */
static int upload_flush(struct upload *u, struct http_call *call)
{
	struct http_pending *pending = http_call_suspend(call);

	if (!pending)
		return upload_fail_busy(u);
	atomic_store(&u->pending, pending);
	if (job_submit(u->all->jobs, &upload_ops, upload_ref(u), NULL) == 0)
		return 0;
	(void)upload_fail_busy(u);
	upload_resume(u);
	(void)upload_unref(u);
	return 0;
}

/* ---- the parts --------------------------------------------------------------------------------
 */

static int begin_parameters(struct upload *u, const struct multipart_part *part)
{
	if (u->has_parameters)
		return upload_fail(u, 400, "there are two parts " UPLOAD_PARAMETERS);
	if (part->content_type[0] && !content_type_is_json(part->content_type))
		return upload_fail(u, 400,
				   "the part " UPLOAD_PARAMETERS " is not application/json");
	u->parameters = malloc(UPLOAD_PARAMETERS_MAX);
	if (!u->parameters)
		return upload_fail_busy(u);
	u->has_parameters = true;
	u->part = PART_PARAMETERS;
	return 0;
}

static int begin_file(struct upload *u)
{
	if (u->has_file)
		return upload_fail(u, 400, "there are two parts " UPLOAD_FILE);
	u->block = malloc(BLOCK_SIZE);
	if (!u->block)
		return upload_fail_busy(u);
	u->has_file = true;
	u->part = PART_FILE;
	return 0;
}

static int on_begin(void *userdata, const struct multipart_part *part)
{
	char text[MESSAGE_ARG_MAX];
	struct upload *u = userdata;

	if (str_equal(part->name, UPLOAD_PARAMETERS))
		return begin_parameters(u, part);
	if (str_equal(part->name, UPLOAD_FILE))
		return begin_file(u);
	(void)snprintf(text, sizeof(text),
		       "it has the part %.40s; there may be " UPLOAD_PARAMETERS " and " UPLOAD_FILE,
		       str_is_plain(part->name) ? part->name : "with a name that is no text");
	return upload_fail(u, 400, text);
}

static int take_parameters(struct upload *u, const char *data, size_t len)
{
	if (len > UPLOAD_PARAMETERS_MAX - u->parameters_len)
		return upload_fail(u, 413, "the part " UPLOAD_PARAMETERS " is too long");
	memcpy(u->parameters + u->parameters_len, data, len);
	u->parameters_len += len;
	return 0;
}

static int take_file(struct upload *u, const char *data, size_t len)
{
	char text[MESSAGE_ARG_MAX];

	if (len > CHANGE_IMAGE_MAX - u->size) {
		(void)snprintf(text, sizeof(text), "the image has more than %d bytes",
			       CHANGE_IMAGE_MAX);
		return upload_fail(u, 413, text);
	}
	/* The transport never gives as much. */
	if (len > BLOCK_SIZE - u->block_len)
		return upload_fail_busy(u);
	memcpy(u->block + u->block_len, data, len);
	u->block_len += len;
	u->size += len;
	return 0;
}

static int on_data(void *userdata, const char *data, size_t len)
{
	struct upload *u = userdata;

	return u->part == PART_FILE ? take_file(u, data, len) : take_parameters(u, data, len);
}

static int on_end(void *userdata)
{
	struct upload *u = userdata;

	u->part = PART_NONE;
	return 0;
}

static const struct multipart_ops part_ops = {on_begin, on_data, on_end};

/* ---- the sink ---------------------------------------------------------------------------------
 */

/* The error is the parser's, or that of a function that it called, which has given the reason. */
static bool upload_refuse(struct upload *u)
{
	(void)upload_fail(u, 400, u->parser.why ? u->parser.why : "the body is malformed");
	return false;
}

static bool take_end(struct upload *u, struct http_call *call)
{
	if (multipart_end(&u->parser) < 0)
		return upload_refuse(u);
	if (!u->has_parameters)
		(void)upload_fail(u, 400, "the part " UPLOAD_PARAMETERS " is missing");
	else if (!u->has_file)
		(void)upload_fail(u, 400, "the part " UPLOAD_FILE " is missing");
	else if (u->size == 0)
		(void)upload_fail(u, 400, "the part " UPLOAD_FILE " is empty");
	else if (u->block_len > 0)
		(void)upload_flush(u, call);
	return true;
}

static bool upload_take(struct http_sink *self, const char *data, size_t len,
			struct http_call *call)
{
	struct upload *u = upload_of(self);

	if (u->failed)
		return false;
	if (len == 0)
		return take_end(u, call);
	if (multipart_take(&u->parser, data, len) < 0)
		return upload_refuse(u);
	return u->block_len < UPLOAD_BLOCK || upload_flush(u, call) == 0;
}

static void upload_free(struct http_sink *self)
{
	(void)upload_unref(upload_of(self));
}

/* ---- lifetime ---------------------------------------------------------------------------------
 */

/* Whether there is a place for another upload; it is taken. */
static bool take_place(struct upload *u)
{
	u->holds_place = !atomic_exchange(&u->all->busy, true);
	return u->holds_place;
}

struct http_sink *upload_new(struct uploads *all, const struct http_request *req)
{
	struct upload *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->sink = (struct http_sink){UPLOAD_BODY_MAX, upload_take, upload_free};
	atomic_init(&u->references, 1);
	u->all = all;
	u->fd = -1;
	u->announced = req->length_known ? req->length : 0;
	if (!all->directory)
		(void)upload_fail(u, 503, "there is no state directory for the image (--state)");
	else if (multipart_init(&u->parser, req->headers[HEADER_CONTENT_TYPE], &part_ops, u) < 0)
		(void)upload_refuse(u);
	else if (u->announced <= UPLOAD_BODY_MAX && !take_place(u))
		u->in_turn =
			upload_fail(u, 503,
				    "another image is being received, or written to devices") < 0;
	return &u->sink;
}

struct upload *upload_of(struct http_sink *sink)
{
	return (struct upload *)sink;
}

struct upload *upload_ref(struct upload *u)
{
	if (u)
		atomic_fetch_add_explicit(&u->references, 1, memory_order_relaxed);
	return u;
}

void upload_close(struct upload *u)
{
	if (!u)
		return;
	cleanup_close(&u->fd);
	u->fd = -1;
	if (u->holds_place)
		atomic_store(&u->all->busy, false);
	u->holds_place = false;
}

struct upload *upload_unref(struct upload *u)
{
	if (!u || atomic_fetch_sub_explicit(&u->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	upload_close(u);
	free(u->parameters);
	free(u->block);
	free(u);
	return NULL;
}

const struct message *upload_refusal(const struct upload *u)
{
	return u->failed ? &u->why : NULL;
}

const char *upload_retry(const struct upload *u)
{
	return u->in_turn ? "30" : NULL;
}

const char *upload_parameters(const struct upload *u, size_t *ret_len)
{
	*ret_len = u->parameters_len;
	return u->parameters;
}

uint64_t upload_size(const struct upload *u)
{
	return u->size;
}

int upload_take_image(struct upload *u)
{
	const int fd = u->fd;

	u->fd = -1;
	return fd;
}
