// SPDX-License-Identifier: LGPL-2.1-or-later
//
// ManagerAccount: the accounts of this service.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/resources/service/account_result.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/rows.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Return: the number that is the Id, in its only form; 0 when it is none. */
static uint64_t account_number(const struct exchange *x)
{
	char canonical[24];
	uint64_t number;

	if (parse_u64(x->resource->id, &number) < 0)
		return 0;
	(void)snprintf(canonical, sizeof(canonical), "%" PRIu64, number);
	return str_equal(canonical, x->resource->id) ? number : 0;
}

static bool find_account(struct exchange *x, struct account *ret)
{
	struct accounts *a = x->service->who.accounts;

	return a && accounts_get(a, account_number(x), ret);
}

/* Clients without the privilege to read other accounts are not shown that these exist. */
static bool shows_account(const struct exchange *x, const struct account *a)
{
	return x->principal.privileges &
		       (PRIVILEGE_CONFIGURE_MANAGER | PRIVILEGE_CONFIGURE_USERS) ||
	       a->number == x->principal.account;
}

static int get_accounts(struct exchange *x)
{
	struct accounts *a = x->service->who.accounts;
	struct account *list = calloc(ACCOUNTS_MAX, sizeof(*list));
	size_t n, shown = 0;

	if (!list)
		return -ENOMEM;
	n = a ? accounts_list(a, list) : 0;
	put_string(&x->w, "Name", x->resource->type->title);
	put_array(&x->w, "Members");
	for (size_t i = 0; i < n; i++) {
		if (!shows_account(x, &list[i]))
			continue;
		put_link(&x->w, NULL, URI_ACCOUNT, list[i].number);
		shown++;
	}
	put_end(&x->w);
	put_number(&x->w, "Members@odata.count", shown);
	free(list);
	return 0;
}

static int get_account(struct exchange *x)
{
	struct json_writer *w = &x->w;
	struct account a;

	if (!find_account(x, &a))
		return exchange_missing(x);
	put_string(w, "Name", "User Account");
	put_string(w, "UserName", a.name);
	put_null(w, "Password");
	put_string(w, "RoleId", role_name(a.role));
	put_bool(w, "Enabled", a.enabled);
	put_bool(w, "Locked", a.locked || a.locked_out);
	put_bool(w, "PasswordChangeRequired", a.password_change_required);
	put_array(w, "AccountTypes");
	put_string(w, NULL, "Redfish");
	put_end(w);
	put_object(w, "Links");
	put_link(w, "Role", URI_ROLES "/%s", role_name(a.role));
	put_end(w);
	return 0;
}

/* ---- changing ---------------------------------------------------------------------------------
 */

static const char *const account_types[] = {"Redfish", NULL};

static const struct parameter rows[] = {
	{.name = "UserName",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .accepts = account_name_is_valid},
	{.name = "Password", .type = PARAMETER_TEXT, .required = true, .secret = true},
	{.name = "RoleId", .type = PARAMETER_TEXT, .required = true, .values = role_names},
	{.name = "Enabled", .type = PARAMETER_BOOLEAN},
	{.name = "Locked", .type = PARAMETER_BOOLEAN},
	{.name = "PasswordChangeRequired", .type = PARAMETER_BOOLEAN},
	/* The only type; a client may say so. */
	{.name = "AccountTypes",
	 .type = PARAMETER_TEXTS,
	 .min_items = 1,
	 .max_items = 1,
	 .values = account_types},
};

static const struct parameters body = {PARAMETER_ROWS(rows)};

struct account_edit {
	struct account_change change; /* refers to the texts here */
	char name[PRINCIPAL_NAME_MAX];
	char password[PASSWORD_LENGTH_MAX + 1];
};

static void free_edit(void *state)
{
	struct account_edit *edit = state;

	explicit_bzero(edit, sizeof(*edit));
	free(edit);
}

static void read_name(struct exchange *x, struct account_edit *edit)
{
	const char *name = body_text(x, "UserName");

	if (!name)
		return;
	(void)snprintf(edit->name, sizeof(edit->name), "%s", name);
	edit->change.name = edit->name;
}

static void check_password(struct exchange *x, struct account_edit *edit)
{
	struct accounts *a = x->service->who.accounts;
	const char *password = body_text(x, "Password");
	struct account_policy policy;

	if (!password)
		return;
	accounts_policy(a, &policy);
	switch (accounts_password_fault(a, password)) {
	case PASSWORD_TOO_SHORT:
		body_note_length(x, MESSAGE_STRING_VALUE_TOO_SHORT, "Password",
				 policy.min_password_length);
		return;
	case PASSWORD_TOO_LONG:
		body_note_length(x, MESSAGE_STRING_VALUE_TOO_LONG, "Password", PASSWORD_LENGTH_MAX);
		return;
	case PASSWORD_BYTES:
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, "Password");
		return;
	case PASSWORD_ALLOWED:
		break;
	}
	(void)snprintf(edit->password, sizeof(edit->password), "%s", password);
	edit->change.password = edit->password;
	body_wipe(x, "Password");
}

/* Return: 0, with what is to be changed; otherwise as operations. */
static int check_account(struct exchange *x, struct account_edit **ret)
{
	const char *role = body_text(x, "RoleId");
	struct account_edit *edit;
	int r;

	if (!x->service->who.accounts || !accounts_are_writable(x->service->who.accounts))
		return account_result(x, -EROFS);
	edit = calloc(1, sizeof(*edit));
	if (!edit)
		return -ENOMEM;
	read_name(x, edit);
	check_password(x, edit);
	if (role)
		edit->change.role = role_find(role);
	edit->change.enabled = body_boolean(x, "Enabled");
	edit->change.locked = body_boolean(x, "Locked");
	edit->change.password_change_required = body_boolean(x, "PasswordChangeRequired");
	r = exchange_noted(x);
	if (r < 0) {
		free_edit(edit);
		return r;
	}
	*ret = edit;
	return 0;
}

/* Errors that are about what the client sent. */
static int edit_result(struct exchange *x, const struct account_edit *edit, int r)
{
	if (r == -EEXIST) {
		(void)exchange_refuse(x, MESSAGE_RESOURCE_ALREADY_EXISTS, "ManagerAccount",
				      "UserName", edit->name);
		message_set_property(&x->message, "UserName");
		return -EINVAL;
	}
	if (r == -EALREADY) {
		(void)exchange_refuse(x, MESSAGE_PASSWORD_NOT_CHANGED, NULL, NULL, NULL);
		message_set_property(&x->message, "Password");
		return -EINVAL;
	}
	/* The policy has changed since it was checked. */
	if (r == -EKEYREJECTED)
		return exchange_refuse_property(x, MESSAGE_PROPERTY_VALUE_ERROR, "Password", NULL);
	return account_result(x, r);
}

static int create_run(struct exchange *x, void *state)
{
	const struct account_edit *edit = state;
	uint64_t number = 0;
	int r = accounts_create(x->service->who.accounts, &edit->change, &number, NULL);

	if (r < 0)
		return edit_result(x, edit, r);
	(void)snprintf(x->location, sizeof(x->location), URI_ACCOUNT, number);
	return 0;
}

static int change_run(struct exchange *x, void *state)
{
	const struct account_edit *edit = state;

	return edit_result(
		x, edit,
		accounts_change(x->service->who.accounts, account_number(x), &edit->change, NULL));
}

static int remove_run(struct exchange *x, void *state)
{
	(void)state;
	return account_result(x,
			      accounts_remove(x->service->who.accounts, account_number(x), NULL));
}

static int create_account(struct exchange *x)
{
	static const struct continuation creating = {
		.class = JOB_STORE, .run = create_run, .free = free_edit};
	struct account_edit *edit;
	int r = check_account(x, &edit);

	return r < 0 ? r : exchange_continue(x, &creating, edit);
}

static int patch_account(struct exchange *x)
{
	static const struct continuation changing = {
		.class = JOB_STORE, .run = change_run, .free = free_edit};
	struct account_edit *edit;
	struct account a;
	int r;

	if (!find_account(x, &a))
		return exchange_missing(x);
	r = check_account(x, &edit);
	return r < 0 ? r : exchange_continue(x, &changing, edit);
}

static int remove_account(struct exchange *x)
{
	static const struct continuation removing = {.class = JOB_STORE, .run = remove_run};
	struct account a;

	if (!find_account(x, &a))
		return exchange_missing(x);
	if (!accounts_are_writable(x->service->who.accounts))
		return account_result(x, -EROFS);
	return exchange_continue(x, &removing, NULL);
}

static const struct resource_type types[] = {
	{.pattern = URI_ACCOUNTS,
	 COLLECTION_SCHEMA("ManagerAccountCollection", "ManagerAccount", "Accounts"),
	 .get = get_accounts,
	 .create = create_account,
	 .create_body = &body},
	{.pattern = URI_ACCOUNTS "/{ManagerAccount}",
	 SCHEMA("ManagerAccount", "v1_14_1"),
	 .dynamic = true,
	 .own = exchange_is_own_account,
	 .get = get_account,
	 .patch = patch_account,
	 .patch_body = &body,
	 .remove = remove_account},
};

const struct resource_rows account_rows = RESOURCE_ROWS(types);
