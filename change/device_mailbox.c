// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/device_mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "change/device.h"
#include "common/arena.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/command.h"
#include "mailbox/decode.h"
#include "mailbox/memdev_ioctl.h"

DEFINE_CLEANUP(struct arena, arena_free);

int device_mailbox_open(const struct host_root *root, const struct memdev *m,
			struct device_mailbox *ret, struct change_result *result)
{
	char path[sizeof("dev/cxl/") + CHANGE_NAME_MAX];
	int r = 0;

	*ret = (struct device_mailbox){.fd = -1};
	(void)snprintf(ret->memdev, sizeof(ret->memdev), "%s", m->name);
	(void)snprintf(path, sizeof(path), "dev/cxl/%s", ret->memdev);
	ret->fd = openat(root->dirfd, path, O_RDWR | O_CLOEXEC);
	if (ret->fd < 0)
		r = -errno;
	else
		r = memdev_query(ret->fd, &ret->supported);
	return r < 0 ? change_result_set(result, r, CHANGE_REFUSED,
					 "the mailbox of %s cannot be used: /%s: %s", m->name, path,
					 strerror(-r))
		     : 0;
}

void device_mailbox_close(struct device_mailbox *mb)
{
	cleanup_close(&mb->fd);
	mb->fd = -1;
}

static const struct mailbox_command *command_of(uint16_t opcode)
{
	size_t n;
	const struct mailbox_command *commands = mailbox_commands(&n);

	for (size_t i = 0; i < n; i++)
		if (commands[i].opcode == opcode)
			return &commands[i];
	return NULL;
}

/* A value that the device does not accept is the client's, whatever else it refuses is not. */
static int error_of(unsigned int code)
{
	switch (code) {
	case MAILBOX_INVALID_INPUT:
		return EINVAL;
	case MAILBOX_BUSY:
	case MAILBOX_RETRY_REQUIRED:
		return EBUSY;
	default:
		return EIO;
	}
}

static int failed(const struct device_mailbox *mb, const char *title, int r, unsigned int code,
		  enum change_outcome outcome, struct change_result *result)
{
	if (r == -EOPNOTSUPP)
		return change_result_set(result, r, outcome, "%s does not support %s", mb->memdev,
					 title);
	if (r < 0)
		return change_result_set(result, r, outcome, "%s: %s: %s", mb->memdev, title,
					 strerror(-r));
	return change_result_set(result, error_of(code), outcome,
				 "%s: %s: the device returned %s%s", mb->memdev, title,
				 mailbox_return_code_name(code),
				 error_of(code) == EBUSY ? "; repeat the request" : "");
}

static int send_one(const struct device_mailbox *mb, const struct mailbox_command *command,
		    uint8_t *output, size_t *ret_len, enum change_outcome outcome,
		    struct change_result *result)
{
	unsigned int code = MAILBOX_SUCCESS;
	int r = -EOPNOTSUPP;

	if (mb->supported >> memdev_command_id(command->opcode) & 1)
		r = memdev_send(mb->fd, command, output, &code);
	if (r > MAILBOX_OUTPUT_MAX)
		r = -EMSGSIZE;
	if (r < 0 || code != MAILBOX_SUCCESS)
		return failed(mb, command->title, r, code, outcome, result);
	*ret_len = (size_t)r;
	return 0;
}

static int read_one(const struct device_mailbox *mb, uint16_t opcode, struct read_notes *notes,
		    struct mailbox *ret, enum change_outcome outcome, struct change_result *result)
{
	const struct mailbox_command *command = command_of(opcode);
	uint8_t output[MAILBOX_OUTPUT_MAX];
	size_t len = 0;
	int r;

	if (!command)
		return failed(mb, "a command", -EOPNOTSUPP, MAILBOX_SUCCESS, outcome, result);
	r = send_one(mb, command, output, &len, outcome, result);
	if (r == 0)
		mailbox_decode(&(struct mailbox_output){mb->memdev, command, output, len, notes},
			       ret);
	return r;
}

int device_mailbox_send(const struct device_mailbox *mb, const struct mailbox_command *command,
			uint8_t *output, size_t *ret_len, struct change_result *result)
{
	return send_one(mb, command, output, ret_len, CHANGE_REFUSED, result);
}

/* Values that are missing or contradict themselves in the output are absent; each caller looks at
 * that. */
int device_mailbox_read(const struct device_mailbox *mb, const uint16_t *opcodes, size_t n,
			struct mailbox *ret, enum change_outcome outcome,
			struct change_result *result)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	struct read_notes notes = {.arena = arena};
	int r = 0;

	if (!arena)
		return change_result_set(result, ENOMEM, outcome, "out of memory");
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; r == 0 && i < n; i++)
		r = read_one(mb, opcodes[i], &notes, ret, outcome, result);
	if (r == 0)
		mailbox_decode_finish(ret);
	return r;
}

int device_mailbox_change(const struct device_mailbox *mb, uint16_t opcode, const uint8_t *input,
			  struct change_result *result)
{
	const struct memdev_change *c = memdev_change_of(opcode);
	unsigned int code = MAILBOX_SUCCESS;
	int r = -EOPNOTSUPP;

	if (c && mb->supported >> c->id & 1)
		r = memdev_send_change(mb->fd, opcode, input, &code);
	if (r == 0 && code == MAILBOX_SUCCESS)
		return 0;
	/* Without an answer it is not known whether the device has done it. */
	return failed(mb, c ? c->title : "a command", r, code,
		      r == -ETIMEDOUT || r == -EIO ? CHANGE_UNKNOWN : CHANGE_REFUSED, result);
}

/* ---- raw commands -----------------------------------------------------------------------------
 */

#define PANIC_ON_WARN "/proc/sys/kernel/panic_on_warn"
#define LOCKDOWN      "/sys/kernel/security/lockdown"
#define ALLOW_ALL     "/sys/kernel/debug/cxl/mbox/raw_allow_all"

/* Only root may decide that: nothing of this project writes the file. */
static int check_guard(const struct device_mailbox *mb, const struct host_root *root,
		       const char *title, struct change_result *result)
{
	char text[64];
	int r = device_read(root, ALLOW_ALL, text, sizeof(text));

	if (r == 0 && str_equal(text, "Y"))
		return 0;
	if (r == 0)
		return change_result_set(
			result, EPERM, CHANGE_REFUSED,
			"%s: %s is a command that the kernel keeps from programs while %s is N: root may write Y there, and N afterwards, because it opens all commands to all who may use the device",
			mb->memdev, title, ALLOW_ALL);
	return change_result_set(
		result, r == -ENOENT ? EOPNOTSUPP : EPERM, CHANGE_REFUSED,
		"%s: %s is a command that the kernel keeps from programs unless root wrote Y to %s, which cannot be read: %s; mount debugfs",
		mb->memdev, title, ALLOW_ALL, strerror(-r));
}

/*
 * A kernel without lockdown has no such file, nor has one whose securityfs is not mounted: that
 * kernel refuses the command itself.
 */
static int check_kernel(const struct device_mailbox *mb, const struct host_root *root,
			const struct memdev_raw *c, struct change_result *result)
{
	char text[64];

	if (device_read(root, PANIC_ON_WARN, text, sizeof(text)) < 0 || !str_equal(text, "0"))
		return change_result_set(
			result, EPERM, CHANGE_REFUSED,
			"%s: %s is a raw command, at the first of which the kernel warns: %s is not 0, so the machine would end",
			mb->memdev, c->title, PANIC_ON_WARN);
	if (device_read(root, LOCKDOWN, text, sizeof(text)) == 0 && !strstr(text, "[none]"))
		return change_result_set(
			result, EPERM, CHANGE_REFUSED,
			"%s: %s is a raw command, which the kernel refuses under lockdown (%s is %s)",
			mb->memdev, c->title, LOCKDOWN, text);
	return c->guarded ? check_guard(mb, root, c->title, result) : 0;
}

int device_mailbox_send_raw(const struct device_mailbox *mb, const struct host_root *root,
			    uint16_t opcode, struct memdev_payloads *p, unsigned int *ret_code,
			    struct change_result *result)
{
	const struct memdev_raw *c = memdev_raw_of(opcode);
	int r;

	if (!c)
		return failed(mb, "a command", -EOPNOTSUPP, MAILBOX_SUCCESS, CHANGE_REFUSED,
			      result);
	r = check_kernel(mb, root, c, result);
	if (r < 0)
		return r;
	r = memdev_send_raw(mb->fd, opcode, p, ret_code);
	if (r == -EPERM)
		return change_result_set(
			result, EOPNOTSUPP, CHANGE_REFUSED,
			"%s: %s is a raw command, and this kernel allows none (EPERM): it was built without CONFIG_CXL_MEM_RAW_COMMANDS, or is locked down",
			mb->memdev, c->title);
	if (r == -ENOTTY)
		return change_result_set(
			result, EOPNOTSUPP, CHANGE_REFUSED,
			"%s: %s is a raw command, and this kernel knows none (ENOTTY): its CXL driver is another one than Linux's since 5.12",
			mb->memdev, c->title);
	return r;
}

int device_mailbox_fail_raw(const struct device_mailbox *mb, uint16_t opcode, int r,
			    unsigned int code, struct change_result *result)
{
	const struct memdev_raw *c = memdev_raw_of(opcode);

	if (result->error < 0)
		return result->error;
	if (r == 0 && code == MAILBOX_SUCCESS)
		return 0;
	return failed(mb, c ? c->title : "a command", r, code,
		      r == -ETIMEDOUT || r == -EIO ? CHANGE_UNKNOWN : CHANGE_REFUSED, result);
}

int device_mailbox_raw(const struct device_mailbox *mb, const struct host_root *root,
		       uint16_t opcode, struct memdev_payloads *p, struct change_result *result)
{
	unsigned int code = MAILBOX_SUCCESS;
	int r = device_mailbox_send_raw(mb, root, opcode, p, &code, result);

	return device_mailbox_fail_raw(mb, opcode, r, code, result);
}
