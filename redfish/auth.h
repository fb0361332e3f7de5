/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_AUTH_H
#define CXLR_REDFISH_AUTH_H

/*
 * Authentication: the one account `admin` with the password of a file, by HTTP Basic. It has all
 * privileges.
 *
 * The password itself is not kept, but a digest of the whole credential keyed with a random key of
 * the process. Any thread may authenticate.
 */

#include <stdbool.h>

#include "common/error.h"
#include "redfish/principal.h"

struct auth;

/*
 * auth_new() - read the password
 * @password_file: its first line is the password, without the line's end
 *
 * Return: 0; -EINVAL when the line is empty or holds a NUL; the errors of reading a file.
 */
int auth_new(const char *password_file, struct auth **ret, struct error *e);

/*
 * auth_reload() - read the password again, from @password_file
 *
 * Return: as auth_new(); on failure the password remains as it was.
 */
int auth_reload(struct auth *a, const char *password_file, struct error *e);

/* Wipes the digest. Accepts NULL. Return: NULL. */
struct auth *auth_free(struct auth *a);

/*
 * auth_check() - authenticate a request
 * @authorization: value of the Authorization header; NULL: the request has none
 * @ret: the principal, set on success
 *
 * Return: whether the credential is that of an account.
 */
bool auth_check(const struct auth *a, const char *authorization, struct principal *ret);

#endif
