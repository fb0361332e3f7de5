// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CertificateService.GenerateCSR and CertificateService.ReplaceCertificate.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/resources/body_check.h"
#include "redfish/resources/service/certificates.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

enum {
	REQUEST_RUN_MS = 30 * 1000, /* RSA keys of 4096 bits take some seconds */
};

/* ---- parameters -------------------------------------------------------------------------------
 */

enum parameter_kind { PARAMETER_TEXT, PARAMETER_TEXTS, PARAMETER_NUMBER, PARAMETER_LINK };

struct parameter {
	const char *name;
	enum parameter_kind kind;
	bool required;
	const char *const *words; /* the allowed ones, to a NULL; NULL: any text */
	bool unsupported;	  /* of the schema */
};

static const char *const algorithms[] = {"TPM_ALG_ECDSA", "TPM_ALG_RSA", NULL};
static const char *const curves[] = {"TPM_ECC_NIST_P256", "TPM_ECC_NIST_P384", NULL};
static const char *const pem_types[] = {"PEM", "PEMchain", NULL};

static const struct parameter csr_parameters[] = {
	{"CertificateCollection", PARAMETER_LINK, .required = true},
	{"CommonName", PARAMETER_TEXT, .required = true},
	{"AlternativeNames", PARAMETER_TEXTS},
	{"Organization", PARAMETER_TEXT},
	{"OrganizationalUnit", PARAMETER_TEXT},
	{"City", PARAMETER_TEXT},
	{"State", PARAMETER_TEXT},
	{"Country", PARAMETER_TEXT},
	{"Email", PARAMETER_TEXT},
	{"KeyPairAlgorithm", PARAMETER_TEXT, .words = algorithms},
	{"KeyBitLength", PARAMETER_NUMBER},
	{"KeyCurveId", PARAMETER_TEXT, .words = curves},
	{"KeyUsage", PARAMETER_TEXTS},
	{"ChallengePassword", .unsupported = true},
	{"ContactPerson", .unsupported = true},
	{"GivenName", .unsupported = true},
	{"Initials", .unsupported = true},
	{"Surname", .unsupported = true},
	{"UnstructuredName", .unsupported = true},
};

static const struct parameter replace_parameters[] = {
	{"CertificateString", PARAMETER_TEXT, .required = true},
	{"CertificateType", PARAMETER_TEXT, .required = true, .words = pem_types},
	{"CertificateUri", PARAMETER_LINK, .required = true},
	{"Password", .unsupported = true},
};

static const char *action_name(const struct exchange *x)
{
	return x->resource->action->name;
}

static void note_value(struct exchange *x, enum message_id id, const json_t *value,
		       const char *name)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

	(void)exchange_refuse(x, id, text ? text : "", name, action_name(x));
	free(text);
	message_set_property(&x->message, name);
	exchange_note(x);
}

static void note_parameter(struct exchange *x, enum message_id id, const char *a, const char *b,
			   const char *name)
{
	(void)exchange_refuse(x, id, a, b, NULL);
	message_set_property(&x->message, name);
	exchange_note(x);
}

static bool has_kind(enum parameter_kind kind, const json_t *value)
{
	switch (kind) {
	case PARAMETER_TEXT:
		return json_is_string(value);
	case PARAMETER_NUMBER:
		return json_is_integer(value) && json_integer_value(value) >= 0;
	case PARAMETER_LINK:
		return json_is_string(json_object_get(value, "@odata.id"));
	case PARAMETER_TEXTS:
		break;
	}
	if (!json_is_array(value))
		return false;
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!json_is_string(json_array_get(value, i)))
			return false;
	return true;
}

static bool is_word(const char *const *words, const char *text)
{
	for (; *words; words++)
		if (str_equal(*words, text))
			return true;
	return false;
}

static void check_parameter(struct exchange *x, const struct parameter *p, const json_t *value)
{
	if (p->unsupported)
		note_parameter(x, MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED, p->name, action_name(x),
			       p->name);
	/* What was meant as a text may contain a private key: it is not repeated. */
	else if (!has_kind(p->kind, value))
		note_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR,
			   p->kind == PARAMETER_TEXT ? NULL : value, p->name);
	else if (p->words && !is_word(p->words, json_string_value(value)))
		note_value(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, value, p->name);
}

static const struct parameter *find_parameter(const struct parameter *p, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(p[i].name, name))
			return &p[i];
	return NULL;
}

static void check_parameters(struct exchange *x, const struct parameter *p, size_t n)
{
	const char *name;
	json_t *value;

	json_object_foreach(x->body, name, value) {
		const struct parameter *one = find_parameter(p, n, name);

		if (one)
			check_parameter(x, one, value);
		else
			note_parameter(x, MESSAGE_ACTION_PARAMETER_UNKNOWN, action_name(x), name,
				       name);
	}
	for (size_t i = 0; i < n; i++)
		if (p[i].required && !json_object_get(x->body, p[i].name))
			note_parameter(x, MESSAGE_ACTION_PARAMETER_MISSING, action_name(x),
				       p[i].name, p[i].name);
}

/* The link must be to @uri, with or without a final slash. */
static void check_link(struct exchange *x, const char *name, const char *uri)
{
	const char *link = body_link(x, name), *rest;

	if (!link)
		return;
	rest = str_after_prefix(link, uri);
	if (!rest || (*rest && !str_equal(rest, "/")))
		note_value(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST,
			   json_object_get(x->body, name), name);
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
	(void)exchange_header(x, "Location", URI_SERVER_CERTIFICATE);
	return 0;
}

int run_replace_certificate(struct exchange *x)
{
	static const struct continuation replacing = {.class = JOB_STORE, .run = replace_run};
	int r;

	check_parameters(x, replace_parameters, ARRAY_SIZE(replace_parameters));
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

static void set_alternative_names(struct exchange *x, struct csr *c)
{
	const json_t *names = json_object_get(x->body, "AlternativeNames");
	char limit[16];

	if (json_array_size(names) > ARRAY_SIZE(c->names)) {
		(void)snprintf(limit, sizeof(limit), "%zu", ARRAY_SIZE(c->names));
		note_parameter(x, MESSAGE_ARRAY_SIZE_TOO_LONG, "AlternativeNames", limit,
			       "AlternativeNames");
		return;
	}
	for (size_t i = 0; i < json_array_size(names); i++)
		c->names[i] = json_string_value(json_array_get(names, i));
	c->request.alternative_names = c->names;
	c->request.n_alternative_names = json_array_size(names);
}

/* Return: the bit of a name; 0 when there is none. */
static unsigned int usage_bit(const char *text)
{
	for (unsigned int i = 0; key_usage_name(i); i++)
		if (str_equal(key_usage_name(i), text))
			return 1u << i;
	return 0;
}

static void set_usage(struct exchange *x, struct csr *c)
{
	const json_t *usage = json_object_get(x->body, "KeyUsage");

	for (size_t i = 0; i < json_array_size(usage); i++) {
		const json_t *one = json_array_get(usage, i);
		const unsigned int bit = usage_bit(json_string_value(one));

		if (bit == 0)
			note_value(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, one, "KeyUsage");
		c->request.usage |= bit;
	}
}

static void set_key(struct exchange *x, struct csr *c)
{
	const char *algorithm = body_text(x, "KeyPairAlgorithm"), *curve;
	const struct opt_u64 bits = body_number(x, "KeyBitLength");

	curve = body_text(x, "KeyCurveId");
	c->request.algorithm = str_equal(algorithm, "TPM_ALG_RSA") ? TLS_KEY_RSA : TLS_KEY_ECDSA;
	if (bits.present)
		c->request.bits = bits.value < UINT32_MAX ? (unsigned int)bits.value : UINT32_MAX;
	if (!curve)
		return;
	if (c->request.algorithm == TLS_KEY_RSA)
		note_parameter(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, "KeyCurveId", curve,
			       "KeyCurveId");
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
	put_string(&x->w, "@odata.type", "#CertificateService.v1_2_1.GenerateCSRResponse");
	put_string(&x->w, "CSRString", pem);
	put_object(&x->w, "CertificateCollection");
	put_string(&x->w, "@odata.id", URI_SERVER_CERTIFICATES);
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

	check_parameters(x, csr_parameters, ARRAY_SIZE(csr_parameters));
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

/* ---- ActionInfo -------------------------------------------------------------------------------
 */

static void put_allowable(const struct parameter *p, struct json_writer *w)
{
	if (p->words || str_equal(p->name, "KeyUsage"))
		put_array(w, "AllowableValues");
	else
		return;
	for (size_t i = 0; p->words && p->words[i]; i++)
		put_string(w, NULL, p->words[i]);
	for (unsigned int i = 0; !p->words && key_usage_name(i); i++)
		put_string(w, NULL, key_usage_name(i));
	put_end(w);
}

static void put_parameters(const struct parameter *p, size_t n, struct json_writer *w)
{
	static const char *const types[] = {
		[PARAMETER_TEXT] = "String",
		[PARAMETER_TEXTS] = "StringArray",
		[PARAMETER_NUMBER] = "Number",
		[PARAMETER_LINK] = "Object",
	};

	put_array(w, "Parameters");
	for (size_t i = 0; i < n; i++) {
		if (p[i].unsupported)
			continue;
		put_object(w, NULL);
		put_string(w, "Name", p[i].name);
		put_bool(w, "Required", p[i].required);
		put_string(w, "DataType", types[p[i].kind]);
		if (p[i].kind == PARAMETER_LINK)
			put_string(w, "ObjectDataType", "#odata-v4.idRef");
		put_allowable(&p[i], w);
		put_end(w);
	}
	put_end(w);
}

void render_generate_csr_info(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "GenerateCSR Action Info");
	put_parameters(csr_parameters, ARRAY_SIZE(csr_parameters), w);
}

void render_replace_certificate_info(const struct view *v, const struct resource *r,
				     struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "ReplaceCertificate Action Info");
	put_parameters(replace_parameters, ARRAY_SIZE(replace_parameters), w);
}
