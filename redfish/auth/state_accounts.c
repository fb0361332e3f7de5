// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/state_accounts.h"

#include <errno.h>
#include <string.h>

#include "redfish/state/client_contexts.h"
#include "redfish/state/state_private.h"

/* Numbers above cannot be reached: one account a millisecond for 100,000 years. */
#define NUMBER_MAX (INT64_MAX / 2)

static int damage(struct state_transaction *t, const char *what, struct error *e)
{
	t->damaged = true;
	return error_set(e, EBADMSG, "%s is damaged (%s)", t->path, what);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static const struct state_field account_fields[] = {
	STATE_TEXT("hash", struct state_account, hash),
	STATE_NUMBER("role", struct state_account, account.role, ROLE_ADMINISTRATOR),
	STATE_NUMBER("enabled", struct state_account, account.enabled, 1),
	STATE_NUMBER("locked", struct state_account, account.locked, 1),
	STATE_NUMBER("change_required", struct state_account, account.password_change_required, 1),
};

/* Lengths in bytes, times in seconds. */
static const struct state_field policy_fields[] = {
	STATE_NUMBER("min_password", struct account_policy, min_password_length, INT32_MAX),
	STATE_NUMBER("threshold", struct account_policy, lockout_threshold, INT32_MAX),
	STATE_NUMBER("duration", struct account_policy, lockout_duration_s, INT32_MAX),
	STATE_NUMBER("reset", struct account_policy, lockout_reset_s, INT32_MAX),
	STATE_NUMBER("timeout", struct account_policy, session_timeout_s, INT32_MAX),
	STATE_NUMBER("session_limit", struct account_policy, session_limit_s, INT32_MAX),
	STATE_NUMBER("session_is_limited", struct account_policy, session_is_limited, 1),
};

/* A text that was truncated is no name. */
static bool account_from_row(sqlite3_stmt *stmt, struct state_account *ret)
{
	struct sql_row row = {.stmt = stmt};
	struct account *a = &ret->account;
	const int64_t number = sql_row_int(&row);

	sql_row_text(&row, a->name, sizeof(a->name));
	if (number < 1 || number > NUMBER_MAX ||
	    !state_row_parse(account_fields, ARRAY_SIZE(account_fields),
			     (const char *)sqlite3_column_text(stmt, 2), ret))
		return false;
	a->number = (uint64_t)number;
	return a->role >= ROLE_READ_ONLY && account_name_is_valid(a->name) &&
	       password_hash_is_sane(ret->hash) &&
	       (size_t)sqlite3_column_bytes(stmt, 1) == strlen(a->name);
}

static int read_rows(struct state_transaction *t, struct state_accounts *ret, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE, r;

	r = state_prepare(t, "SELECT number, name, body FROM accounts ORDER BY number", &b, e);
	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct state_account a = {0};

		if (ret->n == ACCOUNTS_MAX)
			r = damage(t, "too many accounts", e);
		else if (!account_from_row(b.stmt, &a))
			r = damage(t, "an account has values that are not possible", e);
		else
			ret->items[ret->n++] = a;
		explicit_bzero(&a, sizeof(a));
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int read_policy(struct state_transaction *t, struct account_policy *ret, struct error *e)
{
	struct sql_binder b;
	int r, rc;

	r = state_prepare(t, "SELECT policy FROM account_service", &b, e);
	if (r < 0)
		return r;
	rc = sqlite3_step(b.stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (rc == SQLITE_ROW && sqlite3_column_type(b.stmt, 0) == SQLITE_NULL)
		*ret = account_policy_default;
	else if (rc == SQLITE_DONE ||
		 !state_row_parse(policy_fields, ARRAY_SIZE(policy_fields),
				  (const char *)sqlite3_column_text(b.stmt, 0), ret) ||
		 !account_policy_is_valid(ret))
		r = damage(t, "the policy of the accounts has values that are not possible", e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct state_accounts *ret = userdata;
	int r = read_policy(t, &ret->policy, e);

	return r < 0 ? r : read_rows(t, ret, e);
}

int state_read_accounts(struct state *st, struct state_accounts *ret, struct error *e)
{
	ret->n = 0;
	return state_read(st, read_job, ret, e);
}

/* ---- changes ----------------------------------------------------------------------------------
 */

static int take_number(struct state_transaction *t, uint64_t *ret, struct error *e)
{
	struct sql_binder b;
	int64_t next;
	int r, rc = sql_get_number(t->db, "SELECT next FROM account_service", 0, &next);

	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	if (next < 1 || next > NUMBER_MAX)
		return damage(t, "the number of the next account is not possible", e);
	r = state_prepare(t, "UPDATE account_service SET next = ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_int(&b, next + 1);
	r = state_run(t, &b, e);
	if (r == 0)
		*ret = (uint64_t)next;
	return r;
}

static const char insert_sql[] = "INSERT INTO accounts (name, body, number) VALUES (?, ?, ?)";
static const char update_sql[] = "UPDATE accounts SET name = ?, body = ? WHERE number = ?";

/* Runs a statement; a constraint that fails is the unique name. */
static int run_put(struct state_transaction *t, struct sql_binder *b, struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;
	int r = 0;

	if ((rc & 0xff) == SQLITE_CONSTRAINT)
		r = error_set(e, EEXIST, "there is an account of that name already");
	else if (rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b->stmt);
	return r;
}

static int put_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct state_account *s = userdata;
	uint64_t number = s->account.number;
	struct sql_binder b;
	int r = 0;

	if (number == 0)
		r = take_number(t, &number, e);
	if (r == 0)
		r = state_prepare(t, s->account.number == 0 ? insert_sql : update_sql, &b, e);
	if (r < 0)
		return r;
	sql_bind_text(&b, s->account.name);
	state_bind_row(&b, account_fields, ARRAY_SIZE(account_fields), s);
	sql_bind_u64(&b, number);
	r = run_put(t, &b, e);
	if (r == 0 && sqlite3_changes(t->db) == 0)
		r = error_set(e, ENOENT, "there is no account %llu", (unsigned long long)number);
	if (r == 0)
		s->account.number = number;
	return r;
}

int state_put_account(struct state *st, struct state_account *a, struct error *e)
{
	uint64_t number = a->account.number;
	int r = state_change(st, STATE_DURABLE, put_job, a, e);

	/* The transaction may have failed after the row was written. */
	if (r < 0)
		a->account.number = number;
	return r;
}

static int remove_job(struct state_transaction *t, void *userdata, struct error *e)
{
	uint64_t number = *(const uint64_t *)userdata;
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM accounts WHERE number = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, number);
	r = state_run(t, &b, e);
	if (r == 0 && sqlite3_changes(t->db) == 0)
		return error_set(e, ENOENT, "there is no account %llu", (unsigned long long)number);
	return r < 0 ? r : client_contexts_forget(t, number, e);
}

int state_remove_account(struct state *st, uint64_t number, struct error *e)
{
	return state_change(st, STATE_DURABLE, remove_job, &number, e);
}

static int policy_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct account_policy *p = userdata;
	struct sql_binder b;
	int r = state_prepare(t, "UPDATE account_service SET policy = ?", &b, e);

	if (r < 0)
		return r;
	state_bind_row(&b, policy_fields, ARRAY_SIZE(policy_fields), p);
	return state_run(t, &b, e);
}

int state_set_account_policy(struct state *st, const struct account_policy *p, struct error *e)
{
	struct account_policy copy = *p;

	return state_change(st, STATE_DURABLE, policy_job, &copy, e);
}
