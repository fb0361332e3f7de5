/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_REQUEST_H
#define CXLR_OPENER_REQUEST_H

/*
 * The form of a request, and of the listing that a reply has. No state, any thread.
 */

#include <dirent.h>
#include <stddef.h>

#include "opener/protocol.h"

/*
 * opener_request_parse() - check the form of a request
 * @data, @len: the packet
 * @ret: a copy, with all bytes of `path` behind its NUL zero
 *
 * The path is one that opener_path_place() knows for the kind; fields that the kind does not
 * use are 0; the device is at most OPENER_DEVICE_MAX.
 *
 * Return: 0; -EBADMSG: malformed; -EPROTO: another version; -EACCES: a path that is not in the
 * table.
 */
int opener_request_parse(const void *data, size_t len, struct opener_request *ret);

/*
 * opener_switch_request_parse() - likewise a request to cxl-redfish-switch-helper
 * @ret: a copy, with zeros behind the input
 *
 * The target has the port and the LD that its kind needs, and no other; `name` has one NUL and
 * zeros behind it. Whether there is such a switch and such a command is not looked at.
 *
 * Return: 0; -EBADMSG: malformed; -EPROTO: another version.
 */
int opener_switch_request_parse(const void *data, size_t len, struct opener_switch_request *ret);

/* Return: bytes of @r to send. */
size_t opener_request_bytes(const struct opener_request *r);

/*
 * opener_pack_names() - the entries of a directory as OPENER_LIST has them: each with its NUL
 * @names: OPENER_LIST_MAX bytes
 *
 * Entries whose names begin with a dot are left out. Return: 0; -E2BIG when they do not fit.
 */
int opener_pack_names(DIR *dir, char *names, size_t *ret_len);

#endif
