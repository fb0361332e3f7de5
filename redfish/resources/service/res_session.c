// SPDX-License-Identifier: LGPL-2.1-or-later
//
// SessionService and its sessions. A POST that creates one is a login: it is checked by a job.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/auth/login.h"
#include "redfish/core/odata.h"
#include "redfish/resources/service/account_result.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/auth/sessions.h"
#include "redfish/core/uris.h"

/* ---- the service ------------------------------------------------------------------------------
 */

static const struct parameter policy_rows[] = {
	{.name = "SessionTimeout",
	 .type = PARAMETER_NUMBER,
	 .min = SESSION_TIMEOUT_MIN_S,
	 .max = SESSION_TIMEOUT_MAX_S,
	 .description = "seconds without a request after which a session ends"},
	{.name = "AbsoluteSessionTimeout",
	 .type = PARAMETER_NUMBER,
	 .min = SESSION_LIMIT_MIN_S,
	 .max = SESSION_LIMIT_MAX_S,
	 .description =
		 "seconds after which a session ends in any case, if AbsoluteSessionTimeoutEnabled says so"},
	{.name = "AbsoluteSessionTimeoutEnabled",
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether AbsoluteSessionTimeout is in force"},
};

static const struct parameters patch_body = {PARAMETER_ROWS(policy_rows)};

static const size_t policy_offsets[] = {
	offsetof(struct account_policy, session_timeout_s),
	offsetof(struct account_policy, session_limit_s),
	offsetof(struct account_policy, session_is_limited),
};

static int get_session_service(struct exchange *x)
{
	struct accounts *a = x->service->who.accounts;
	struct account_policy policy;

	put_string(&x->w, "Name", "Session Service");
	put_bool(&x->w, "ServiceEnabled", a != NULL);
	put_state(&x->w, a ? "Enabled" : "Disabled");
	if (a) {
		accounts_policy(a, &policy);
		put_policy(&policy, &patch_body, policy_offsets, &x->w);
	}
	put_link(&x->w, "Sessions", URI_SESSIONS);
	return 0;
}

static int patch_session_service(struct exchange *x)
{
	return patch_policy(x, &patch_body, policy_offsets);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Return: whether the session that the Id says exists. */
static bool find_session(const struct exchange *x, struct session *ret)
{
	struct sessions *s = x->service->who.sessions;
	char canonical[24];
	uint64_t number;

	if (!s || parse_u64(x->resource->id, &number) < 0)
		return false;
	(void)snprintf(canonical, sizeof(canonical), "%" PRIu64, number);
	return str_equal(canonical, x->resource->id) && sessions_get(s, number, ret);
}

static bool is_own(const struct principal *p, const struct session *s)
{
	return p->account != 0 && p->account == s->account;
}

static bool session_is_own(const struct exchange *x)
{
	struct session s;

	return find_session(x, &s) && is_own(&x->principal, &s);
}

static int get_sessions(struct exchange *x)
{
	struct sessions *all = x->service->who.sessions;
	struct session *list = calloc(SESSIONS_MAX, sizeof(*list));
	size_t n, shown = 0;

	if (!list)
		return -ENOMEM;
	n = all ? sessions_list(all, list) : 0;
	put_string(&x->w, "Name", x->resource->type->title);
	put_array(&x->w, "Members");
	for (size_t i = 0; i < n; i++) {
		if (!(x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER) &&
		    !is_own(&x->principal, &list[i]))
			continue;
		put_link(&x->w, NULL, URI_SESSION, list[i].number);
		shown++;
	}
	put_end(&x->w);
	put_number(&x->w, "Members@odata.count", shown);
	free(list);
	return 0;
}

static void put_time(struct json_writer *w, const char *key, time_t t)
{
	struct tm tm;
	char text[32];

	if (gmtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		put_string(w, key, text);
}

/* In the reply to a login with a password that must be changed first (DSP0266 1.20 13.3.7.1). */
static void put_change_required(const struct exchange *x, struct json_writer *w)
{
	char uri[RESOURCE_URI_MAX];
	struct message m;

	(void)snprintf(uri, sizeof(uri), URI_ACCOUNT, x->principal.account);
	message_set(&m, MESSAGE_PASSWORD_CHANGE_REQUIRED, uri, NULL, NULL);
	put_messages(&m, 1, w);
}

/* By the clock of now: a step of it since the session began changes nothing. */
static time_t time_of_end(const struct session *s, const struct account_policy *p)
{
	return time(NULL) + (time_t)p->session_limit_s - (time_t)s->age_s;
}

static int get_session(struct exchange *x)
{
	struct json_writer *w = &x->w;
	struct account_policy policy;
	struct account account;
	struct session s;

	if (!find_session(x, &s))
		return exchange_missing(x);
	put_string(w, "Name", "User Session");
	put_string(w, "UserName", s.user);
	put_null(w, "Password");
	put_string(w, "SessionType", "Redfish");
	put_time(w, "CreatedTime", s.created);
	accounts_policy(x->service->who.accounts, &policy);
	if (policy.session_is_limited)
		put_time(w, "ExpirationTime", time_of_end(&s, &policy));
	put_string(w, "ClientOriginIPAddress", s.from);
	if (accounts_get(x->service->who.accounts, s.account, &account)) {
		put_array(w, "Roles");
		put_string(w, NULL, role_name(account.role));
		put_end(w);
	}
	if (x->principal.password_change_required && is_own(&x->principal, &s))
		put_change_required(x, w);
	return 0;
}

/* ---- beginning and ending ---------------------------------------------------------------------
 */

/* Without any account, another password or a later time would not help. */
static int refuse_login(struct exchange *x, unsigned int retry_s)
{
	const bool any = accounts_exist(x->service->who.accounts);
	char text[16];

	(void)exchange_refuse(x, any ? MESSAGE_ACCESS_UNAUTHORIZED : MESSAGE_NO_ACCOUNT, NULL, NULL,
			      NULL);
	(void)snprintf(text, sizeof(text), "%u", retry_s);
	if (any && retry_s > 0)
		(void)exchange_header(x, "Retry-After", text);
	(void)exchange_header(x, "WWW-Authenticate",
			      "Basic realm=\"CXL memory\", charset=\"UTF-8\"");
	return -EINVAL;
}

static int refuse_busy(struct exchange *x)
{
	return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1", NULL, NULL);
}

static int login_run(struct exchange *x, void *state)
{
	char token[SESSION_TOKEN_SIZE];
	struct session s;
	int r = login_verify(state, &x->principal);

	if (r == 0)
		r = sessions_create(x->service->who.sessions, &x->principal, &s, token);
	if (r == -EACCES)
		return refuse_login(x, 0);
	if (r == -E2BIG)
		return exchange_refuse(x, MESSAGE_SESSION_LIMIT_EXCEEDED, NULL, NULL, NULL);
	if (r < 0)
		return r;
	(void)exchange_header(x, "X-Auth-Token", token);
	explicit_bzero(token, sizeof(token));
	(void)snprintf(x->location, sizeof(x->location), URI_SESSION, s.number);
	return 0;
}

static void free_login(void *state)
{
	(void)login_free(state);
}

/* For the audit log, if the login fails: only names of accounts, as a password may be in its place.
 */
static void name_account(struct exchange *x, struct accounts *a, const char *user)
{
	struct account account;

	if (accounts_find(a, user, &account))
		memcpy(x->principal.name, account.name, sizeof(x->principal.name));
}

static const struct parameter login_rows[] = {
	{.name = "UserName", .type = PARAMETER_TEXT, .required = true},
	{.name = "Password", .type = PARAMETER_TEXT, .required = true, .secret = true},
};

static const struct parameters create_body = {PARAMETER_ROWS(login_rows)};

static int create_session(struct exchange *x)
{
	static const struct continuation logging_in = {
		.class = JOB_LOGINS, .run = login_run, .free = free_login};
	struct accounts *a = x->service->who.accounts;
	unsigned int retry_s = 0;
	struct login *login;
	int r;

	if (!a || !x->service->who.sessions)
		return exchange_refuse(x, MESSAGE_SERVICE_DISABLED, URI_SESSION_SERVICE, NULL,
				       NULL);
	name_account(x, a, body_text(x, "UserName"));
	r = login_begin(a, &x->req->client, body_text(x, "UserName"), body_text(x, "Password"),
			&login, &retry_s);
	body_wipe(x, "Password");
	if (r == 0)
		return exchange_continue(x, &logging_in, login);
	if (r == -EBUSY)
		return refuse_busy(x);
	if (r != -EACCES)
		return r;
	return refuse_login(x, retry_s);
}

static int remove_session(struct exchange *x)
{
	struct session s;

	if (!find_session(x, &s) || sessions_remove(x->service->who.sessions, s.number) < 0)
		return exchange_missing(x);
	return 0;
}

static const struct resource_type session_types[] = {
	{.pattern = URI_SESSION_SERVICE,
	 SCHEMA("SessionService", "v1_2_0"),
	 .get = get_session_service,
	 .patch = patch_session_service,
	 .patch_body = &patch_body},
	{.pattern = URI_SESSIONS,
	 COLLECTION_SCHEMA("SessionCollection", "Session", "Sessions"),
	 .get = get_sessions,
	 .create = create_session,
	 .create_body = &create_body},
	{.pattern = URI_SESSIONS "/{Session}",
	 SCHEMA("Session", "v1_8_0"),
	 .dynamic = true,
	 .own = session_is_own,
	 .get = get_session,
	 .remove = remove_session},
};

const struct resource_rows session_rows = RESOURCE_ROWS(session_types);
