/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_AUTH_H
#define CXLR_REDFISH_AUTH_H

/*
 * Who may log in: the one account `admin` with the password of a file, by HTTP Basic.
 *
 * The password itself is not kept: what stays is a digest of the whole credential under a key
 * that is made anew in each process. Constant after auth_new(); any thread may check.
 */

#include <stdbool.h>

#include "common/error.h"

struct auth;

/*
 * auth_new() - learn the password
 * @password_file: its first line is the password, without the line's end
 *
 * Return: 0; -EINVAL when the line is empty or holds a NUL; the errors of reading a file.
 */
int auth_new(const char *password_file, struct auth **ret, struct error *e);

/* Wipes the digest. Accepts NULL. Return: NULL. */
struct auth *auth_free(struct auth *a);

/* Whether the value of an Authorization header (NULL: there was none) is the account's. */
bool auth_check(const struct auth *a, const char *authorization);

#endif
