// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/tls_key.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "http/tls_certificate.h"

enum {
	SERIAL_BYTES = 16,
	KEY_ID_BYTES = 20,
	/* Clocks of clients may be behind, and that of this machine was perhaps not yet set. */
	VALID_BEFORE_SECONDS = 24 * 60 * 60,
	DAY_SECONDS = 24 * 60 * 60,
	V3 = 3,
};

static const struct {
	enum tls_key_algorithm algorithm;
	unsigned int bits;
	gnutls_pk_algorithm_t pk;
	unsigned int parameter; /* as gnutls_x509_privkey_generate() takes it */
} kinds[] = {
	{TLS_KEY_ECDSA, 256, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1)},
	{TLS_KEY_ECDSA, 384, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP384R1)},
	{TLS_KEY_RSA, 2048, GNUTLS_PK_RSA, 2048},
	{TLS_KEY_RSA, 3072, GNUTLS_PK_RSA, 3072},
	{TLS_KEY_RSA, 4096, GNUTLS_PK_RSA, 4096},
};

static int out_of_memory(struct error *e)
{
	return error_set(e, ENOMEM, "out of memory");
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* Return: the length of an address in @ret; 0 when @text is no address. */
static unsigned int address_bytes(const char *text, unsigned char ret[static 16])
{
	if (inet_pton(AF_INET, text, ret) == 1)
		return 4;
	return inet_pton(AF_INET6, text, ret) == 1 ? 16 : 0;
}

/* Whether a text can be a DNS name; the first label may be "*" (RFC 6125 6.4.3). */
static bool is_dns_name(const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	const char *rest = str_after_prefix(text, "*.");
	size_t len = strlen(text);

	if (!rest)
		rest = text;
	return len > 0 && len < TLS_NAME_MAX && strspn(rest, letters) == strlen(rest) &&
	       *rest != '.' && *rest != '\0' && !strstr(rest, "..");
}

static int check_text(const char *what, const char *text, struct error *e)
{
	if (!text)
		return 0;
	if (strlen(text) > TLS_NAME_MAX || text[0] == '\0')
		return error_set(e, EINVAL, "%s must have 1 to %d bytes", what, TLS_NAME_MAX);
	if (str_has_control(text))
		return error_set(e, EINVAL, "%s must not have control characters", what);
	return 0;
}

/* @bits: 0 for the first of the algorithm. Return: the index in kinds[]; less: there is none. */
static int find_kind(enum tls_key_algorithm algorithm, unsigned int bits, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].algorithm == algorithm && (bits == 0 || bits == kinds[i].bits))
			return (int)i;
	return error_set(e, EINVAL, "a key of %u bits is not supported for this algorithm", bits);
}

int tls_request_check(const struct tls_request *r, struct error *e)
{
	unsigned char address[16];
	int s;

	if (!r->common_name)
		return error_set(e, EINVAL, "CommonName is required");
	if ((s = check_text("CommonName", r->common_name, e)) < 0 ||
	    (s = check_text("Organization", r->organization, e)) < 0 ||
	    (s = check_text("OrganizationalUnit", r->organizational_unit, e)) < 0 ||
	    (s = check_text("City", r->city, e)) < 0 ||
	    (s = check_text("State", r->state, e)) < 0 ||
	    (s = check_text("Email", r->email, e)) < 0 ||
	    (s = check_text("Country", r->country, e)) < 0 ||
	    (s = find_kind(r->algorithm, r->bits, e)) < 0)
		return s;
	if (r->country && strlen(r->country) != 2)
		return error_set(e, EINVAL, "Country must be a code of two letters");
	if (r->n_alternative_names > TLS_ALTERNATIVE_NAMES_MAX)
		return error_set(e, EINVAL, "AlternativeNames has more than %d names",
				 TLS_ALTERNATIVE_NAMES_MAX);
	for (size_t i = 0; i < r->n_alternative_names; i++)
		if (!is_dns_name(r->alternative_names[i]) &&
		    address_bytes(r->alternative_names[i], address) == 0)
			return error_set(e, EINVAL,
					 "AlternativeNames must be DNS names and addresses");
	return 0;
}

/* ---- keys -------------------------------------------------------------------------------------
 */

int tls_key_new(enum tls_key_algorithm algorithm, unsigned int bits, gnutls_x509_privkey_t *ret,
		struct error *e)
{
	gnutls_x509_privkey_t key = NULL;
	const int i = find_kind(algorithm, bits, e);
	int r;

	if (i < 0)
		return i;
	r = gnutls_x509_privkey_init(&key);
	if (r >= 0)
		r = gnutls_x509_privkey_generate(key, kinds[i].pk, kinds[i].parameter, 0);
	if (r < 0) {
		gnutls_x509_privkey_deinit(key);
		return error_set(e, EIO, "cannot make a key: %s", gnutls_strerror(r));
	}
	*ret = key;
	return 0;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static int request_names(gnutls_x509_crq_t crq, const struct tls_request *r)
{
	const struct {
		const char *oid, *text;
	} parts[] = {
		{GNUTLS_OID_X520_COUNTRY_NAME, r->country},
		{GNUTLS_OID_X520_STATE_OR_PROVINCE_NAME, r->state},
		{GNUTLS_OID_X520_LOCALITY_NAME, r->city},
		{GNUTLS_OID_X520_ORGANIZATION_NAME, r->organization},
		{GNUTLS_OID_X520_ORGANIZATIONAL_UNIT_NAME, r->organizational_unit},
		{GNUTLS_OID_X520_COMMON_NAME, r->common_name},
		{GNUTLS_OID_PKCS9_EMAIL, r->email},
	};
	int s = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && s >= 0; i++)
		if (parts[i].text)
			s = gnutls_x509_crq_set_dn_by_oid(crq, parts[i].oid, 0, parts[i].text,
							  (unsigned int)strlen(parts[i].text));
	for (size_t i = 0; i < r->n_alternative_names && s >= 0; i++) {
		const char *name = r->alternative_names[i];
		unsigned char address[16];
		unsigned int len = address_bytes(name, address);

		s = gnutls_x509_crq_set_subject_alt_name(
			crq, len ? GNUTLS_SAN_IPADDRESS : GNUTLS_SAN_DNSNAME,
			len ? (const void *)address : name, len ? len : (unsigned int)strlen(name),
			GNUTLS_FSAN_APPEND);
	}
	return s;
}

static int request_usage(gnutls_x509_crq_t crq, unsigned int usage)
{
	unsigned int bits = 0;
	int s = 0;

	if (usage == 0)
		usage = TLS_USAGE_DIGITAL_SIGNATURE | TLS_USAGE_SERVER_AUTHENTICATION;
	for (size_t i = 0; i < TLS_USAGES; i++)
		if (usage & tls_usages[i].usage)
			bits |= tls_usages[i].bit;
	if (bits)
		s = gnutls_x509_crq_set_key_usage(crq, bits);
	for (size_t i = 0; i < TLS_USAGES && s >= 0; i++)
		if ((usage & tls_usages[i].usage) && tls_usages[i].purpose)
			s = gnutls_x509_crq_set_key_purpose_oid(crq, tls_usages[i].purpose, 0);
	return s;
}

int tls_request_sign(const struct tls_request *r, gnutls_x509_privkey_t key, char **ret_pem,
		     struct error *e)
{
	gnutls_x509_crq_t crq = NULL;
	gnutls_privkey_t signer = NULL;
	gnutls_datum_t pem = {0};
	char *text = NULL;
	int s;

	s = gnutls_x509_crq_init(&crq);
	if (s >= 0)
		s = gnutls_privkey_init(&signer);
	if (s >= 0)
		s = gnutls_privkey_import_x509(signer, key, 0);
	if (s >= 0)
		s = gnutls_x509_crq_set_version(crq, 1);
	if (s >= 0)
		s = gnutls_x509_crq_set_key(crq, key);
	if (s >= 0)
		s = request_names(crq, r);
	if (s >= 0)
		s = request_usage(crq, r->usage);
	if (s >= 0)
		s = gnutls_x509_crq_privkey_sign(crq, signer, GNUTLS_DIG_SHA256, 0);
	if (s >= 0)
		s = gnutls_x509_crq_export2(crq, GNUTLS_X509_FMT_PEM, &pem);
	if (s >= 0)
		text = strndup((const char *)pem.data, pem.size);
	gnutls_free(pem.data);
	gnutls_privkey_deinit(signer);
	gnutls_x509_crq_deinit(crq);
	if (s < 0)
		return error_set(e, EINVAL, "cannot make the request for a certificate: %s",
				 gnutls_strerror(s));
	if (!text)
		return out_of_memory(e);
	*ret_pem = text;
	return 0;
}

/* ---- a certificate signed by its own key ------------------------------------------------------
 */

static int set_names(gnutls_x509_crt_t crt, const char *const *names, size_t n)
{
	int s = gnutls_x509_crt_set_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, names[0],
					      (unsigned int)strlen(names[0]));

	for (size_t i = 0; i < n && i < TLS_ALTERNATIVE_NAMES_MAX && s >= 0; i++) {
		unsigned char address[16];
		unsigned int len = address_bytes(names[i], address);

		if (len == 0 && !is_dns_name(names[i]))
			continue;
		s = gnutls_x509_crt_set_subject_alt_name(
			crt, len ? GNUTLS_SAN_IPADDRESS : GNUTLS_SAN_DNSNAME,
			len ? (const void *)address : names[i],
			len ? len : (unsigned int)strlen(names[i]), GNUTLS_FSAN_APPEND);
	}
	return s;
}

static int set_times(gnutls_x509_crt_t crt)
{
	const time_t now = time(NULL);
	int s = gnutls_x509_crt_set_activation_time(crt, now - VALID_BEFORE_SECONDS);

	if (s >= 0)
		s = gnutls_x509_crt_set_expiration_time(crt,
							now + (time_t)TLS_VALID_DAYS * DAY_SECONDS);
	return s;
}

static int set_serial(gnutls_x509_crt_t crt)
{
	unsigned char serial[SERIAL_BYTES];
	int s = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof(serial));

	/* A positive number (RFC 5280 4.1.2.2), whose first byte is not zero. */
	serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40);
	return s < 0 ? s : gnutls_x509_crt_set_serial(crt, serial, sizeof(serial));
}

static int set_extensions(gnutls_x509_crt_t crt)
{
	unsigned char id[KEY_ID_BYTES];
	size_t len = sizeof(id);
	int s = gnutls_x509_crt_set_basic_constraints(crt, 0, -1);

	if (s >= 0)
		s = gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE);
	if (s >= 0)
		s = gnutls_x509_crt_set_key_purpose_oid(crt, GNUTLS_KP_TLS_WWW_SERVER, 0);
	if (s >= 0)
		s = gnutls_x509_crt_get_key_id(crt, GNUTLS_KEYID_USE_SHA1, id, &len);
	if (s >= 0)
		s = gnutls_x509_crt_set_subject_key_id(crt, id, len);
	return s;
}

static int self_sign(gnutls_x509_crt_t crt, gnutls_x509_privkey_t key, gnutls_privkey_t signer)
{
	int s = gnutls_privkey_import_x509(signer, key, 0);

	return s < 0 ? s : gnutls_x509_crt_privkey_sign(crt, crt, signer, GNUTLS_DIG_SHA256, 0);
}

int tls_certificate_copy(gnutls_x509_crt_t crt, gnutls_x509_crt_t *ret)
{
	gnutls_x509_crt_t copy = NULL;
	gnutls_datum_t der = {0};
	int s = gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_DER, &der);

	if (s >= 0)
		s = gnutls_x509_crt_init(&copy);
	if (s >= 0)
		s = gnutls_x509_crt_import(copy, &der, GNUTLS_X509_FMT_DER);
	gnutls_free(der.data);
	if (s < 0)
		gnutls_x509_crt_deinit(copy);
	else
		*ret = copy;
	return s;
}

int tls_certificate_self_sign(gnutls_x509_privkey_t key, const char *const *names, size_t n_names,
			      gnutls_x509_crt_t *ret, struct error *e)
{
	gnutls_privkey_t signer = NULL;
	gnutls_x509_crt_t crt = NULL;
	int s;

	s = gnutls_x509_crt_init(&crt);
	if (s >= 0)
		s = gnutls_privkey_init(&signer);
	if (s >= 0)
		s = gnutls_x509_crt_set_version(crt, V3);
	if (s >= 0)
		s = gnutls_x509_crt_set_key(crt, key);
	if (s >= 0)
		s = set_names(crt, names, n_names);
	if (s >= 0)
		s = set_times(crt);
	if (s >= 0)
		s = set_serial(crt);
	if (s >= 0)
		s = set_extensions(crt);
	if (s >= 0)
		s = self_sign(crt, key, signer);
	/* GnuTLS reads the extensions of a certificate only when it is imported. */
	if (s >= 0)
		s = tls_certificate_copy(crt, ret);
	gnutls_privkey_deinit(signer);
	gnutls_x509_crt_deinit(crt);
	return s < 0 ? error_set(e, EIO, "cannot make a certificate: %s", gnutls_strerror(s)) : 0;
}
