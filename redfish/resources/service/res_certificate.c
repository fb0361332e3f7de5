// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The certificate of the TLS listeners, the authorities for those of clients, and
// CertificateService.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/service/certificate_actions.h"
#include "redfish/resources/service/certificates.h"
#include "redfish/resources/rows.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

DEFINE_CLEANUP(struct tls_set, tls_set_unref);
#define _cleanup_set_ _cleanup_(tls_set_unrefp)

/* Return: one reference to what is in use; NULL when nothing listens with TLS. */
static struct tls_set *set_in_use(const struct exchange *x)
{
	struct tls_store *store = x->service->tls;

	return store ? tls_store_get(store) : NULL;
}

/* ---- a certificate ----------------------------------------------------------------------------
 */

static void put_name(struct json_writer *w, const char *key, const struct tls_name *name,
		     const char *const *alternatives, size_t n)
{
	put_object(w, key);
	put_string(w, "DisplayString", name->text);
	put_string(w, "CommonName", name->common_name);
	put_string(w, "Organization", name->organization);
	put_string(w, "OrganizationalUnit", name->organizational_unit);
	put_string(w, "Country", name->country);
	put_string(w, "State", name->state);
	put_string(w, "City", name->city);
	put_string(w, "Email", name->email);
	if (n > 0) {
		put_array(w, "AlternativeNames");
		for (size_t i = 0; i < n; i++)
			put_string(w, NULL, alternatives[i]);
		put_end(w);
	}
	put_end(w);
}

static void put_time(struct json_writer *w, const char *key, time_t t)
{
	struct tm tm;
	char text[32];

	if (gmtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		put_string(w, key, text);
}

static void put_certificate(struct json_writer *w, const struct tls_certificate *c)
{
	put_string(w, "CertificateString", c->pem);
	put_string(w, "CertificateType", c->n_chain > 1 ? "PEMchain" : "PEM");
	put_name(w, "Subject", &c->subject, c->alternative_names, c->n_alternative_names);
	put_name(w, "Issuer", &c->issuer, NULL, 0);
	put_time(w, "ValidNotBefore", c->not_before);
	put_time(w, "ValidNotAfter", c->not_after);
	put_string(w, "SerialNumber", c->serial);
	put_string(w, "Fingerprint", c->fingerprint);
	put_string(w, "FingerprintHashAlgorithm", "TPM_ALG_SHA256");
	put_array(w, "KeyUsage");
	for (unsigned int i = 0; key_usages[i]; i++)
		if (c->usage & 1u << i)
			put_string(w, NULL, key_usages[i]);
	put_end(w);
}

static int get_server_certificates(struct exchange *x)
{
	_cleanup_set_ struct tls_set *set = set_in_use(x);

	put_string(&x->w, "Name", x->resource->type->title);
	put_array(&x->w, "Members");
	if (set)
		put_link(&x->w, NULL, "%s", URI_SERVER_CERTIFICATE);
	put_end(&x->w);
	put_number(&x->w, "Members@odata.count", set ? 1 : 0);
	return 0;
}

static int get_server_certificate(struct exchange *x)
{
	_cleanup_set_ struct tls_set *set = set_in_use(x);

	if (!set || !str_equal(x->resource->uri, URI_SERVER_CERTIFICATE))
		return exchange_missing(x);
	put_string(&x->w, "Name", "HTTPS Certificate");
	put_array(&x->w, "CertificateUsageTypes");
	put_string(&x->w, NULL, "Web");
	put_end(&x->w);
	put_certificate(&x->w, set->server);
	return 0;
}

/* ---- authorities of clients -------------------------------------------------------------------
 */

static void put_authority_link(struct json_writer *w, const struct tls_authority *a)
{
	put_link(w, NULL, URI_CLIENT_AUTHORITIES "/%s", a->id);
}

static int get_authorities(struct exchange *x)
{
	_cleanup_set_ struct tls_set *set = set_in_use(x);
	const size_t n = set ? set->n_authorities : 0;

	put_string(&x->w, "Name", x->resource->type->title);
	put_array(&x->w, "Members");
	for (size_t i = 0; i < n; i++)
		put_authority_link(&x->w, &set->authorities[i]);
	put_end(&x->w);
	put_number(&x->w, "Members@odata.count", n);
	return 0;
}

static const struct tls_authority *find_authority(const struct tls_set *set, const char *id)
{
	for (size_t i = 0; set && i < set->n_authorities; i++)
		if (str_equal(set->authorities[i].id, id))
			return &set->authorities[i];
	return NULL;
}

static int get_authority(struct exchange *x)
{
	_cleanup_set_ struct tls_set *set = set_in_use(x);
	const struct tls_authority *a = find_authority(set, x->resource->id);

	if (!a)
		return exchange_missing(x);
	put_string(&x->w, "Name", "Authority of Client Certificates");
	put_certificate(&x->w, a->certificate);
	return 0;
}

static int add_run(struct exchange *x, void *state)
{
	const char *pem = body_text(x, "CertificateString");
	struct error e = {0};
	char id[TLS_ID_MAX];
	int r;

	(void)state;
	r = tls_store_add_authority(x->service->tls, pem, strlen(pem), id, &e);
	if (r == -ENOSPC)
		return exchange_refuse(x, MESSAGE_CREATE_LIMIT_REACHED_FOR_RESOURCE, NULL, NULL,
				       NULL);
	if (r < 0) {
		r = certificate_result(x, r, &e);
		message_set_property(&x->message, "CertificateString");
		return r;
	}
	(void)snprintf(x->location, sizeof(x->location), URI_CLIENT_AUTHORITIES "/%s", id);
	return 0;
}

static const char *const authority_types[] = {"PEM", NULL};

static const struct parameter authority_rows[] = {
	{.name = "CertificateString",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .secret = true, /* it may have a private key */
	 .description = "the certificate of the authority"},
	{.name = "CertificateType",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .values = authority_types},
};

static const struct parameters create_body = {PARAMETER_ROWS(authority_rows)};

static int create_authority(struct exchange *x)
{
	static const struct continuation adding = {.class = JOB_STORE, .run = add_run};

	if (!x->service->tls)
		return exchange_refuse(x, MESSAGE_SERVICE_DISABLED, URI_CERTIFICATE_SERVICE, NULL,
				       NULL);
	return exchange_continue(x, &adding, NULL);
}

static int remove_run(struct exchange *x, void *state)
{
	struct error e = {0};
	int r;

	(void)state;
	r = tls_store_remove_authority(x->service->tls, x->resource->id, &e);
	return certificate_result(x, r, &e);
}

static int remove_authority(struct exchange *x)
{
	static const struct continuation removing = {.class = JOB_STORE, .run = remove_run};
	_cleanup_set_ struct tls_set *set = set_in_use(x);

	if (!find_authority(set, x->resource->id))
		return exchange_missing(x);
	return exchange_continue(x, &removing, NULL);
}

/* ---- CertificateService -----------------------------------------------------------------------
 */

static int get_certificate_service(struct exchange *x)
{
	put_string(&x->w, "Name", "Certificate Service");
	put_link(&x->w, "CertificateLocations", URI_CERTIFICATE_SERVICE "/CertificateLocations");
	put_actions(x->resource, &x->w);
	return 0;
}

static int get_locations(struct exchange *x)
{
	_cleanup_set_ struct tls_set *set = set_in_use(x);
	struct json_writer *w = &x->w;
	const size_t n = set ? set->n_authorities : 0;

	put_string(w, "Name", "Certificate Locations");
	put_object(w, "Links");
	put_array(w, "Certificates");
	if (set)
		put_link(w, NULL, "%s", URI_SERVER_CERTIFICATE);
	for (size_t i = 0; i < n; i++)
		put_authority_link(w, &set->authorities[i]);
	put_end(w);
	put_number(w, "Certificates@odata.count", set ? n + 1 : 0);
	put_end(w);
	return 0;
}

static const struct action certificate_actions[] = {
	{"CertificateService.GenerateCSR", &generate_csr_parameters, .standard = true,
	 .needs_body = true, .run = run_generate_csr},
	{"CertificateService.ReplaceCertificate", &replace_certificate_parameters, .standard = true,
	 .needs_body = true, .run = run_replace_certificate},
};

static const struct resource_type certificate_types[] = {
	{.pattern = URI_CERTIFICATE_SERVICE,
	 SCHEMA("CertificateService", "v1_2_2"),
	 .get = get_certificate_service,
	 ACTIONS(certificate_actions)},
	{.pattern = URI_CERTIFICATE_SERVICE "/CertificateLocations",
	 SCHEMA("CertificateLocations", "v1_0_4"),
	 .get = get_locations},
	{.pattern = URI_SERVER_CERTIFICATES,
	 COLLECTION_SCHEMA("CertificateCollection", "Certificate", "HTTPS Certificates"),
	 .get = get_server_certificates},
	{.pattern = URI_SERVER_CERTIFICATES "/{Certificate}",
	 SCHEMA("Certificate", "v1_11_0"),
	 .dynamic = true,
	 .get = get_server_certificate},
	{.pattern = URI_CLIENT_AUTHORITIES,
	 COLLECTION_SCHEMA("CertificateCollection", "Certificate",
			   "Authorities of Client Certificates"),
	 .get = get_authorities,
	 .create = create_authority,
	 .create_body = &create_body},
	{.pattern = URI_CLIENT_AUTHORITIES "/{Certificate}",
	 SCHEMA("Certificate", "v1_11_0"),
	 .dynamic = true,
	 .get = get_authority,
	 .remove = remove_authority},
};

const struct resource_rows certificate_rows = RESOURCE_ROWS(certificate_types);
