// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/state_accounts.h"

#include <errno.h>
#include <string.h>

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

static bool read_flag(struct sql_row *row, bool *ret)
{
	int64_t value = sql_row_int(row);

	*ret = value != 0;
	return value == 0 || value == 1;
}

/* A text that was truncated is no hash, and no name: each is shorter than its buffer. */
static bool account_from_row(sqlite3_stmt *stmt, struct state_account *ret)
{
	struct sql_row row = {.stmt = stmt};
	struct account *a = &ret->account;
	bool flags = true;
	int64_t number, role;

	number = sql_row_int(&row);
	sql_row_text(&row, a->name, sizeof(a->name));
	sql_row_text(&row, ret->hash, sizeof(ret->hash));
	role = sql_row_int(&row);
	flags = read_flag(&row, &a->enabled) && flags;
	flags = read_flag(&row, &a->locked) && flags;
	flags = read_flag(&row, &a->password_change_required) && flags;
	if (number < 1 || number > NUMBER_MAX || role < ROLE_READ_ONLY || role > ROLE_ADMINISTRATOR)
		return false;
	a->number = (uint64_t)number;
	a->role = (enum role)role;
	return flags && account_name_is_valid(a->name) && password_hash_is_sane(ret->hash) &&
	       (size_t)sqlite3_column_bytes(stmt, 1) == strlen(a->name) &&
	       (size_t)sqlite3_column_bytes(stmt, 2) == strlen(ret->hash);
}

static int read_rows(struct state_transaction *t, struct state_accounts *ret, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE, r;

	r = state_prepare(t,
			  "SELECT number, name, hash, role, enabled, locked, change_required"
			  " FROM accounts ORDER BY number",
			  &b, e);
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

static bool read_number(struct sql_row *row, unsigned int *ret)
{
	int64_t value = sql_row_int(row);

	*ret = (unsigned int)value;
	return value >= 0 && value <= INT32_MAX;
}

static bool policy_from_row(sqlite3_stmt *stmt, struct account_policy *ret)
{
	struct sql_row row = {.stmt = stmt};
	bool valid = true;

	valid = read_number(&row, &ret->min_password_length) && valid;
	valid = read_number(&row, &ret->lockout_threshold) && valid;
	valid = read_number(&row, &ret->lockout_duration_s) && valid;
	valid = read_number(&row, &ret->lockout_reset_s) && valid;
	valid = read_number(&row, &ret->session_timeout_s) && valid;
	return valid && account_policy_is_valid(ret);
}

static int read_policy(struct state_transaction *t, struct account_policy *ret, struct error *e)
{
	struct sql_binder b;
	int r, rc;

	r = state_prepare(t,
			  "SELECT min_password, threshold, duration, reset, timeout"
			  " FROM account_service",
			  &b, e);
	if (r < 0)
		return r;
	rc = sqlite3_step(b.stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (rc == SQLITE_DONE || !policy_from_row(b.stmt, ret))
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

static const char insert_sql[] = "INSERT INTO accounts"
				 " (name, hash, role, enabled, locked, change_required, number)"
				 " VALUES (?, ?, ?, ?, ?, ?, ?)";
static const char update_sql[] = "UPDATE accounts SET name = ?, hash = ?, role = ?, enabled = ?,"
				 " locked = ?, change_required = ? WHERE number = ?";

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
	sql_bind_text(&b, s->hash);
	sql_bind_int(&b, s->account.role);
	sql_bind_int(&b, s->account.enabled);
	sql_bind_int(&b, s->account.locked);
	sql_bind_int(&b, s->account.password_change_required);
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
	return r;
}

int state_remove_account(struct state *st, uint64_t number, struct error *e)
{
	return state_change(st, STATE_DURABLE, remove_job, &number, e);
}

static int policy_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct account_policy *p = userdata;
	struct sql_binder b;
	int r = state_prepare(t,
			      "UPDATE account_service SET min_password = ?, threshold = ?,"
			      " duration = ?, reset = ?, timeout = ?",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, p->min_password_length);
	sql_bind_int(&b, p->lockout_threshold);
	sql_bind_int(&b, p->lockout_duration_s);
	sql_bind_int(&b, p->lockout_reset_s);
	sql_bind_int(&b, p->session_timeout_s);
	return state_run(t, &b, e);
}

int state_set_account_policy(struct state *st, const struct account_policy *p, struct error *e)
{
	struct account_policy copy = *p;

	return state_change(st, STATE_DURABLE, policy_job, &copy, e);
}
