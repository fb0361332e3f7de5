// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CertificateService.GenerateCSR and CertificateService.ReplaceCertificate.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/service/certificate_actions.h"
#include "redfish/resources/service/certificates.h"
#include "redfish/service/service.h"
#include "redfish/core/odata.h"
#include "redfish/core/schema.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"

enum {
	REQUEST_RUN_MS = 30 * 1000, /* RSA keys of 4096 bits take some seconds */
};

/* ---- parameters -------------------------------------------------------------------------------
 */

static const char *const algorithms[] = {"TPM_ALG_ECDSA", "TPM_ALG_RSA", NULL};
static const char *const curves[] = {"TPM_ECC_NIST_P256", "TPM_ECC_NIST_P384", NULL};
static const char *const pem_types[] = {"PEM", "PEMchain", NULL};

static const struct parameter csr_rows[] = {
	{.name = "CertificateCollection",
	 .type = PARAMETER_LINK,
	 .required = true,
	 .description = "the certificates of the HTTPS listeners"},
	{.name = "CommonName", .type = PARAMETER_TEXT, .required = true},
	{.name = "AlternativeNames",
	 .type = PARAMETER_TEXTS,
	 .max_items = TLS_ALTERNATIVE_NAMES_MAX,
	 .description = "names and addresses of the host"},
	{.name = "Organization", .type = PARAMETER_TEXT},
	{.name = "OrganizationalUnit", .type = PARAMETER_TEXT},
	{.name = "City", .type = PARAMETER_TEXT},
	{.name = "State", .type = PARAMETER_TEXT},
	{.name = "Country", .type = PARAMETER_TEXT, .description = "two letters"},
	{.name = "Email", .type = PARAMETER_TEXT},
	{.name = "KeyPairAlgorithm",
	 .type = PARAMETER_TEXT,
	 .values = algorithms,
	 .description = "of the new key; without it, TPM_ALG_ECDSA"},
	{.name = "KeyBitLength",
	 .type = PARAMETER_NUMBER,
	 .max = UINT32_MAX,
	 .description = "256 or 384 with ECDSA; 2048, 3072 or 4096 with RSA"},
	{.name = "KeyCurveId",
	 .type = PARAMETER_TEXT,
	 .values = curves,
	 .description = "not with TPM_ALG_RSA"},
	{.name = "KeyUsage", .type = PARAMETER_TEXTS, .values = key_usages},
	{.name = "ChallengePassword", .unsupported = true},
	{.name = "ContactPerson", .unsupported = true},
	{.name = "GivenName", .unsupported = true},
	{.name = "Initials", .unsupported = true},
	{.name = "Surname", .unsupported = true},
	{.name = "UnstructuredName", .unsupported = true},
};

const struct parameters generate_csr_parameters = {PARAMETER_ROWS(csr_rows)};

static const struct parameter replace_rows[] = {
	{.name = "CertificateString",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .secret = true, /* it may have a private key */
	 .description =
		 "the certificate, with its chain, and with its key unless that was made by GenerateCSR"},
	{.name = "CertificateType", .type = PARAMETER_TEXT, .required = true, .values = pem_types},
	{.name = "CertificateUri",
	 .type = PARAMETER_LINK,
	 .required = true,
	 .description = "the certificate that is replaced"},
	{.name = "Password", .unsupported = true},
};

const struct parameters replace_certificate_parameters = {PARAMETER_ROWS(replace_rows)};

/* The link must be to @uri, with or without a final slash. */
static void check_link(struct exchange *x, const char *name, const char *uri)
{
	char shown[SHOWN_URI_MAX];
	const char *rest = str_after_prefix(body_link(x, name), system_id_show(uri, shown));

	if (!rest || (*rest && !str_equal(rest, "/")))
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, name);
}

static int check_enabled(struct exchange *x)
{
	int r = exchange_noted(x);

	if (r == 0 && !x->service->tls)
		r = exchange_refuse(x, MESSAGE_SERVICE_DISABLED, URI_CERTIFICATE_SERVICE, NULL,
				    NULL);
	return r;
}

/* ---- ReplaceCertificate -----------------------------------------------------------------------
 */

static int replace_run(struct exchange *x, void *state)
{
	const char *pem = body_text(x, "CertificateString");
	struct error e = {0};
	int r;

	(void)state;
	r = tls_store_replace(x->service->tls, pem, strlen(pem), &e);
	/* It may have had a private key. */
	body_wipe(x, "CertificateString");
	if (r < 0) {
		r = certificate_result(x, r, &e);
		message_set_property(&x->message, "CertificateString");
		return r;
	}
	(void)exchange_location(x, URI_SERVER_CERTIFICATE);
	return 0;
}

int run_replace_certificate(struct exchange *x)
{
	static const struct continuation replacing = {.class = JOB_STORE, .run = replace_run};
	int r;

	check_link(x, "CertificateUri", URI_SERVER_CERTIFICATE);
	r = check_enabled(x);
	if (r < 0) {
		body_wipe(x, "CertificateString");
		return r;
	}
	return exchange_continue(x, &replacing, NULL);
}

/* ---- GenerateCSR ------------------------------------------------------------------------------
 */

struct csr {
	struct tls_request request; /* refers to the body */
	const char *names[TLS_ALTERNATIVE_NAMES_MAX];
};

static void set_alternative_names(const struct exchange *x, struct csr *c)
{
	c->request.alternative_names = c->names;
	c->request.n_alternative_names = body_size(x, "AlternativeNames");
	for (size_t i = 0; i < c->request.n_alternative_names; i++)
		c->names[i] = body_item(x, "AlternativeNames", i);
}

static void set_usage(const struct exchange *x, struct csr *c)
{
	for (size_t i = 0; i < body_size(x, "KeyUsage"); i++)
		for (unsigned int bit = 0; key_usages[bit]; bit++)
			if (str_equal(key_usages[bit], body_item(x, "KeyUsage", i)))
				c->request.usage |= 1u << bit;
}

static void set_key(struct exchange *x, struct csr *c)
{
	const char *algorithm = body_text(x, "KeyPairAlgorithm"), *curve;
	const struct opt_u64 bits = body_number(x, "KeyBitLength");

	curve = body_text(x, "KeyCurveId");
	c->request.algorithm = str_equal(algorithm, "TPM_ALG_RSA") ? TLS_KEY_RSA : TLS_KEY_ECDSA;
	if (bits.present)
		c->request.bits = (unsigned int)bits.value;
	if (!curve)
		return;
	if (c->request.algorithm == TLS_KEY_RSA)
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, "KeyCurveId");
	else
		c->request.bits = str_equal(curve, curves[1]) ? 384 : 256;
}

static int csr_run(struct exchange *x, void *state)
{
	const struct csr *c = state;
	struct error e = {0};
	char *pem = NULL;
	int r = tls_store_make_request(x->service->tls, &c->request, &pem, &e);

	if (r < 0)
		return certificate_result(x, r, &e);
	put_object(&x->w, NULL);
	put_format(&x->w, "@odata.type", "#CertificateService.%s.GenerateCSRResponse",
		   schema_version("CertificateService"));
	put_string(&x->w, "CSRString", pem);
	put_object(&x->w, "CertificateCollection");
	put_uri(&x->w, "@odata.id", URI_SERVER_CERTIFICATES);
	put_end(&x->w);
	put_end(&x->w);
	free(pem);
	return 0;
}

static void fill_request(struct exchange *x, struct csr *c)
{
	c->request.common_name = body_text(x, "CommonName");
	c->request.organization = body_text(x, "Organization");
	c->request.organizational_unit = body_text(x, "OrganizationalUnit");
	c->request.city = body_text(x, "City");
	c->request.state = body_text(x, "State");
	c->request.country = body_text(x, "Country");
	c->request.email = body_text(x, "Email");
	set_alternative_names(x, c);
	set_usage(x, c);
	set_key(x, c);
}

int run_generate_csr(struct exchange *x)
{
	static const struct continuation requesting = {
		.class = JOB_STORE, .run_ms = REQUEST_RUN_MS, .run = csr_run, .free = free};
	struct error e = {0};
	struct csr *c;
	int r;

	check_link(x, "CertificateCollection", URI_SERVER_CERTIFICATES);
	r = exchange_noted(x);
	if (r < 0)
		return r;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	fill_request(x, c);
	r = check_enabled(x);
	if (r == 0) {
		r = tls_request_check(&c->request, &e);
		if (r < 0)
			r = certificate_result(x, r, &e);
	}
	if (r < 0) {
		free(c);
		return r;
	}
	return exchange_continue(x, &requesting, c);
}
