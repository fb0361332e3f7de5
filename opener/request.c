// SPDX-License-Identifier: LGPL-2.1-or-later
#include "opener/request.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "opener/paths.h"

_Static_assert(offsetof(struct opener_request, path) == OPENER_REQUEST_HEAD,
	       "the head has no padding");
_Static_assert(sizeof(struct opener_reply) == 32, "a reply has no padding");
_Static_assert(offsetof(struct opener_switch_request, input) == OPENER_SWITCH_REQUEST_HEAD,
	       "the head has no padding");
_Static_assert(sizeof(struct opener_switch) ==
		       OPENER_SWITCH_NAME_MAX + OPENER_SWITCH_REASON_MAX + 8,
	       "an element has no padding");

size_t opener_request_bytes(const struct opener_request *r)
{
	return OPENER_REQUEST_HEAD + strlen(r->path) + 1;
}

/* The fields that a kind uses; the others must be 0, so that they can get a meaning. */
static const struct {
	unsigned char path, device, command, frame, other_helper;
} uses[OPENER_KINDS] = {
	[OPENER_OPEN] = {.path = 1},
	[OPENER_LIST] = {.path = 1},
	[OPENER_STAT] = {.path = 1},
	[OPENER_COMMANDS] = {.device = 1},
	[OPENER_COMMAND] = {.device = 1, .command = 1},
	[OPENER_WATCH] = {0},
	[OPENER_BLOCK_PAGES] = {.path = 1},
	[OPENER_DAX_HOLDERS] = {0},
	[OPENER_KERNEL_LOG] = {0},
	[OPENER_PAGE_USE] = {.frame = 1},
	[OPENER_SWITCHES] = {.other_helper = 1},
	[OPENER_SWITCH_COMMAND] = {.other_helper = 1},
};

static int check_frame(const struct opener_request *r)
{
	return r->row <= OPENER_FRAME_ROW_MAX && r->opcode == 0 && r->path[0] == '\0' ? 0
										      : -EBADMSG;
}

static int check_fields(const struct opener_request *r)
{
	if (r->kind == 0 || r->kind >= OPENER_KINDS || r->reserved != 0 ||
	    uses[r->kind].other_helper)
		return -EBADMSG;
	if (uses[r->kind].frame)
		return check_frame(r);
	if (r->device > (uses[r->kind].device ? OPENER_DEVICE_MAX : 0U))
		return -EBADMSG;
	if (!uses[r->kind].command && (r->row != 0 || r->opcode != 0))
		return -EBADMSG;
	if (!uses[r->kind].path)
		return r->path[0] == '\0' ? 0 : -EBADMSG;
	return opener_path_place((enum opener_kind)r->kind, r->path) == OPENER_NOWHERE ? -EACCES
										       : 0;
}

int opener_request_parse(const void *data, size_t len, struct opener_request *ret)
{
	struct opener_request r = {0};
	int error;

	if (len < OPENER_REQUEST_MIN || len > sizeof(r))
		return -EBADMSG;
	memcpy(&r, data, len);
	if (r.version != OPENER_VERSION)
		return -EPROTO;
	/* One NUL, at the end of the packet. */
	if (strnlen(r.path, OPENER_PATH_MAX) + 1 != len - OPENER_REQUEST_HEAD)
		return -EBADMSG;
	error = check_fields(&r);
	if (error == 0)
		*ret = r;
	return error;
}

static bool is_zero(const void *p, size_t n)
{
	for (const char *s = p; n > 0; n--)
		if (*s++)
			return false;
	return true;
}

static int check_switch_fields(const struct opener_switch_request *r)
{
	const size_t n = strnlen(r->name, sizeof(r->name));

	if (r->kind == OPENER_SWITCHES)
		return is_zero(&r->opcode,
			       sizeof(*r) - offsetof(struct opener_switch_request, opcode))
			       ? 0
			       : -EBADMSG;
	if (r->kind != OPENER_SWITCH_COMMAND || r->reserved != 0 || r->target > OPENER_TARGET_LD)
		return -EBADMSG;
	if ((r->target == OPENER_TARGET_SWITCH && r->port != 0) ||
	    (r->target != OPENER_TARGET_LD && r->ld != 0))
		return -EBADMSG;
	return n > 0 && n < sizeof(r->name) && is_zero(r->name + n, sizeof(r->name) - n) ? 0
											 : -EBADMSG;
}

int opener_switch_request_parse(const void *data, size_t len, struct opener_switch_request *ret)
{
	struct opener_switch_request r = {0};
	int error;

	if (len < OPENER_SWITCH_REQUEST_HEAD || len > sizeof(r))
		return -EBADMSG;
	memcpy(&r, data, len);
	if (r.version != OPENER_VERSION)
		return -EPROTO;
	if (r.len != len - OPENER_SWITCH_REQUEST_HEAD)
		return -EBADMSG;
	error = check_switch_fields(&r);
	if (error == 0)
		*ret = r;
	return error;
}

int opener_pack_names(DIR *dir, char *names, size_t *ret_len)
{
	const struct dirent *entry;
	size_t len = 0;

	while ((entry = readdir(dir))) {
		const size_t n = strlen(entry->d_name) + 1;

		if (entry->d_name[0] == '.')
			continue;
		if (n > OPENER_LIST_MAX - len)
			return -E2BIG;
		memcpy(names + len, entry->d_name, n);
		len += n;
	}
	*ret_len = len;
	return 0;
}
