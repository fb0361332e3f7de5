// SPDX-License-Identifier: LGPL-2.1-or-later
//
// AccountService: the policy for passwords and lockout, and the roles, none of which can be
// changed.
#include "common/array.h"
#include "http/tls.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/resources/service/account_result.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

/*
 * A duration of 0 would mean that nothing is locked out (AccountService), for which there is the
 * threshold.
 */
static const struct parameter policy_rows[] = {
	{.name = "MinPasswordLength",
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = PASSWORD_LENGTH_MAX,
	 .description = "bytes, of passwords that are set from now on"},
	{.name = "AccountLockoutThreshold",
	 .type = PARAMETER_NUMBER,
	 .max = LOCKOUT_THRESHOLD_MAX,
	 .description = "failed logins after which an account is locked; 0: never"},
	{.name = "AccountLockoutDuration",
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = LOCKOUT_DURATION_MAX_S,
	 .description = "seconds"},
	{.name = "AccountLockoutCounterResetAfter",
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = LOCKOUT_DURATION_MAX_S,
	 .description = "seconds, not more than AccountLockoutDuration"},
};

static const struct parameters patch_body = {PARAMETER_ROWS(policy_rows)};

static const size_t policy_offsets[] = {
	offsetof(struct account_policy, min_password_length),
	offsetof(struct account_policy, lockout_threshold),
	offsetof(struct account_policy, lockout_duration_s),
	offsetof(struct account_policy, lockout_reset_s),
};

/* Clients with a certificate of one of the authorities are the account that its name says. */
static void put_client_certificate(struct exchange *x, struct json_writer *w)
{
	struct tls_store *store = x->service->tls;
	struct tls_set *set = store ? tls_store_get(store) : NULL;

	put_object(w, "MultiFactorAuth");
	put_object(w, "ClientCertificate");
	put_bool(w, "Enabled", set && set->n_authorities > 0);
	put_bool(w, "RespondToUnauthenticatedClients", true);
	put_string(w, "CertificateMappingAttribute", "CommonName");
	put_link(w, "Certificates", URI_CLIENT_AUTHORITIES);
	put_end(w);
	put_end(w);
	(void)tls_set_unref(set);
}

static void put_rules(struct accounts *a, struct json_writer *w)
{
	struct account_policy policy;

	accounts_policy(a, &policy);
	put_string(w, "LocalAccountAuth", "Enabled");
	put_string(w, "HTTPBasicAuth", "Enabled");
	put_array(w, "SupportedAccountTypes");
	put_string(w, NULL, "Redfish");
	put_end(w);
	put_number(w, "MaxPasswordLength", PASSWORD_LENGTH_MAX);
	put_bool(w, "AccountLockoutCounterResetEnabled", true);
	put_policy(&policy, &patch_body, policy_offsets, w);
	put_null(w, "PasswordExpirationDays");
}

static int get_account_service(struct exchange *x)
{
	struct accounts *a = x->service->who.accounts;
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Account Service");
	put_bool(w, "ServiceEnabled", a != NULL);
	put_state(w, a ? "Enabled" : "Disabled");
	if (a)
		put_rules(a, w);
	put_client_certificate(x, w);
	put_link(w, "Accounts", URI_ACCOUNTS);
	put_link(w, "Roles", URI_ROLES);
	put_link(w, "PrivilegeMap", URI_PRIVILEGE_REGISTRY);
	return 0;
}

static int patch_account_service(struct exchange *x)
{
	return patch_policy(x, &patch_body, policy_offsets);
}

/* ---- roles ------------------------------------------------------------------------------------
 */

static const enum role roles[] = {ROLE_ADMINISTRATOR, ROLE_OPERATOR, ROLE_READ_ONLY};

static int enumerate_roles(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	(void)v;
	for (size_t i = 0; i < ARRAY_SIZE(roles) && r >= 0; i++)
		r = resource_add(ix, t, &roles[i], (const char *const[]){role_name(roles[i])});
	return r;
}

static void render_role(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const enum role *role = r->object;
	const unsigned int privileges = role_privileges(*role);

	(void)v;
	put_format(w, "Name", "Role %s", role_name(*role));
	put_string(w, "Description", "A standard role, which cannot be changed");
	put_string(w, "RoleId", role_name(*role));
	put_bool(w, "IsPredefined", true);
	put_array(w, "AssignedPrivileges");
	for (unsigned int bit = 1; bit <= PRIVILEGES_ALL; bit <<= 1)
		if (privileges & bit)
			put_string(w, NULL, privilege_name(bit));
	put_end(w);
}

static const struct resource_type account_service_types[] = {
	{.pattern = URI_ACCOUNT_SERVICE,
	 SCHEMA("AccountService", "v1_18_1"),
	 .get = get_account_service,
	 .patch = patch_account_service,
	 .patch_body = &patch_body,
	 .demands_if_match = true},
	{.pattern = URI_ROLES, COLLECTION("RoleCollection", "Role", "Roles")},
	{.pattern = URI_ROLES "/{Role}",
	 SCHEMA("Role", "v1_3_3"),
	 .enumerate = enumerate_roles,
	 .render = render_role},
};

const struct resource_rows account_service_rows = RESOURCE_ROWS(account_service_types);
