// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci_recorded.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/switch_options.h"

#define DIRECTORY "mbox/switch-"
#define ENTRY	  "switch-"

static const char *const origins[] = {CCI_ORIGIN_HARDWARE, CCI_ORIGIN_EMULATED, CCI_ORIGIN_MODEL};

/* ---- names ---- */

/* Writes the path of a request's file without its suffix. Return: false when it is too long. */
static bool request_path(const char *name, const struct cci_request *q, char ret[CCI_RECORDED_PATH])
{
	const size_t size = CCI_RECORDED_PATH - sizeof(".code");
	size_t n = (size_t)snprintf(ret, size, DIRECTORY "%s/", name);

	if (q->len > CCI_RECORDED_INPUT)
		return false;
	if (q->target.kind != CCI_SWITCH)
		n += (size_t)snprintf(ret + n, size - n, "port%u/", q->target.port);
	if (q->target.kind == CCI_LD)
		n += (size_t)snprintf(ret + n, size - n, "ld%u/", q->target.ld);
	n += (size_t)snprintf(ret + n, size - n, "%04x", q->opcode);
	for (size_t i = 0; i < q->len && n < size; i++) {
		const char *separator = i == 0 ? "-" : i % CCI_RECORDED_PART == 0 ? "/" : "";

		n += (size_t)snprintf(ret + n, size - n, "%s%02x", separator, q->input[i]);
	}
	return n < size;
}

static bool changes(const struct cci_request *q)
{
	const struct fmapi_command *c = fmapi_command_find(q->opcode, q->target.kind);

	return c && c->changes;
}

/* ---- replaying ---- */

struct cci_recorded {
	struct cci cci;
	const struct host_root *root;
};

/* Return: what host_root_read() says, as an error of cci_send(). */
static int recorded_error(int r)
{
	return r == -ENOENT ? -ENODATA : r == -ENOMEM ? r : r == -EFBIG ? -EMSGSIZE : -EBADMSG;
}

static int read_output(const struct cci_recorded *c, const char *path, struct cci_reply *ret)
{
	_cleanup_free_ char *data = NULL;
	size_t len;
	int r = host_root_read(c->root, path, CCI_PAYLOAD_MAX, &data, &len);

	if (r < 0)
		return recorded_error(r);
	ret->return_code = MAILBOX_SUCCESS;
	ret->len = len;
	memcpy(ret->output, data, len);
	return 0;
}

static int read_code(const struct cci_recorded *c, const char *path, struct cci_reply *ret)
{
	_cleanup_free_ char *text = NULL;
	uint64_t code;
	int r = host_root_read(c->root, path, CCI_RECORDED_TEXT, &text, NULL);

	if (r < 0)
		return recorded_error(r);
	text[strcspn(text, " \n")] = '\0';
	if (parse_u64(text, &code) < 0 || code == MAILBOX_SUCCESS || code > UINT16_MAX)
		return -EBADMSG;
	ret->return_code = (unsigned int)code;
	ret->len = 0;
	return 0;
}

static int recorded_send(struct cci *cci, const struct cci_request *q, struct cci_reply *ret)
{
	const struct cci_recorded *c = (const struct cci_recorded *)cci;
	char path[CCI_RECORDED_PATH];
	size_t n;
	int r;

	if (changes(q))
		return -EROFS;
	if (!request_path(cci->name, q, path))
		return -ENODATA;
	n = strlen(path);
	(void)snprintf(path + n, sizeof(path) - n, ".bin");
	r = read_output(c, path, ret);
	if (r != -ENODATA)
		return r;
	(void)snprintf(path + n, sizeof(path) - n, ".code");
	return read_code(c, path, ret);
}

static void recorded_free(struct cci *c)
{
	free(c);
}

static const char *known_origin(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(origins); i++)
		if (str_equal(origins[i], word))
			return origins[i];
	return NULL;
}

/* Reads the lines of the file `mailbox`. Return: false when it is invalid. */
static bool parse_mailbox(char *text, struct cci *c)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		const char *origin = str_after_prefix(line, "origin ");
		const char *payload = str_after_prefix(line, "payload ");
		uint64_t bytes;

		if (origin)
			c->recorded = known_origin(origin);
		if (payload && parse_u64(payload, &bytes) == 0 && bytes >= CCI_PAYLOAD_MIN &&
		    bytes <= CCI_PAYLOAD_MAX)
			c->payload_max = (size_t)bytes;
	}
	return c->recorded && c->payload_max > 0;
}

static int read_mailbox(const struct host_root *root, struct cci *c, struct error *e)
{
	_cleanup_free_ char *text = NULL;
	char path[CCI_RECORDED_PATH];
	int r;

	(void)snprintf(path, sizeof(path), DIRECTORY "%s/mailbox", c->name);
	r = host_root_read(root, path, CCI_RECORDED_TEXT, &text, NULL);
	if (r < 0)
		return error_set(e, r, "%s: %s", path, strerror(-r));
	if (!parse_mailbox(text, c))
		return error_set(
			e, EINVAL,
			"%s: needs the lines 'origin hardware', 'emulated' or 'model', and 'payload' with %d to %d bytes",
			path, CCI_PAYLOAD_MIN, CCI_PAYLOAD_MAX);
	return 0;
}

int cci_recorded_new(const struct host_root *root, const char *name, struct cci **ret,
		     struct error *e)
{
	static const struct cci_ops ops = {.send = recorded_send, .free = recorded_free};
	struct cci_recorded *c;
	int r;

	if (!switch_is_address(name))
		return error_set(e, ENOENT, "%s is not the address of a PCI function", name);
	c = calloc(1, sizeof(*c));
	if (!c)
		return error_set(e, ENOMEM, "out of memory");
	c->cci.ops = &ops;
	c->root = root;
	(void)snprintf(c->cci.name, sizeof(c->cci.name), "%s", name);
	r = read_mailbox(root, &c->cci, e);
	if (r < 0) {
		free(c);
		return r;
	}
	*ret = &c->cci;
	return 0;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t cci_recorded_list(const struct host_root *root, char ret[CCI_SWITCHES_MAX][CCI_NAME_MAX])
{
	int fd = openat(root->dirfd, "mbox", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	size_t n = 0;

	if (fd >= 0 && !dir)
		(void)close(fd);
	while (dir && n < CCI_SWITCHES_MAX && (d = readdir(dir))) {
		const char *name = str_after_prefix(d->d_name, ENTRY);

		if (name && switch_is_address(name))
			(void)snprintf(ret[n++], CCI_NAME_MAX, "%s", name);
	}
	if (n > 1)
		qsort(ret, n, sizeof(ret[0]), name_order);
	return n;
}

/* ---- recording ---- */

struct cci_recorder {
	struct cci cci;
	struct cci *inner;
	cci_record_fn *record;
	void *userdata;
};

static void record_reply(const struct cci_recorder *c, const struct cci_request *q,
			 const struct cci_reply *reply)
{
	char path[CCI_RECORDED_PATH], text[CCI_RECORDED_TEXT];
	size_t n;

	if (!request_path(c->cci.name, q, path))
		return;
	n = strlen(path);
	if (reply->return_code == MAILBOX_SUCCESS) {
		(void)snprintf(path + n, sizeof(path) - n, ".bin");
		c->record(c->userdata, path, reply->output, reply->len);
		return;
	}
	(void)snprintf(path + n, sizeof(path) - n, ".code");
	n = (size_t)snprintf(text, sizeof(text), "0x%04x %s\n", reply->return_code,
			     mailbox_return_code_name(reply->return_code));
	c->record(c->userdata, path, text, n);
}

static int recorder_send(struct cci *cci, const struct cci_request *q, struct cci_reply *ret)
{
	const struct cci_recorder *c = (const struct cci_recorder *)cci;
	int r = cci_send(c->inner, q, ret);

	if (r == 0 && ret->return_code != MAILBOX_BUSY &&
	    ret->return_code != MAILBOX_RETRY_REQUIRED && !changes(q))
		record_reply(c, q, ret);
	return r;
}

static void recorder_free(struct cci *c)
{
	free(c);
}

int cci_recorder_new(struct cci *inner, const char *origin, cci_record_fn *record, void *userdata,
		     struct cci **ret)
{
	static const struct cci_ops ops = {.send = recorder_send, .free = recorder_free};
	struct cci_recorder *c = calloc(1, sizeof(*c));
	char path[CCI_RECORDED_PATH], text[CCI_RECORDED_TEXT];
	int n;

	if (!c)
		return -ENOMEM;
	c->cci = *inner;
	c->cci.ops = &ops;
	c->cci.n_commands = 0;
	c->inner = inner;
	c->record = record;
	c->userdata = userdata;
	(void)snprintf(path, sizeof(path), DIRECTORY "%s/mailbox", inner->name);
	n = snprintf(text, sizeof(text), "origin %s\npayload %zu\n", origin, inner->payload_max);
	record(userdata, path, text, (size_t)n);
	*ret = &c->cci;
	return 0;
}
