// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/tls_certificate.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/strutil.h"

enum { NAME_TEXT_MAX = 2048, FINGERPRINT_BYTES = 32 };

struct part {
	const char *oid;
	size_t offset;
};

static const struct part parts[] = {
	{GNUTLS_OID_X520_COMMON_NAME, offsetof(struct tls_name, common_name)},
	{GNUTLS_OID_X520_ORGANIZATION_NAME, offsetof(struct tls_name, organization)},
	{GNUTLS_OID_X520_ORGANIZATIONAL_UNIT_NAME, offsetof(struct tls_name, organizational_unit)},
	{GNUTLS_OID_X520_COUNTRY_NAME, offsetof(struct tls_name, country)},
	{GNUTLS_OID_X520_STATE_OR_PROVINCE_NAME, offsetof(struct tls_name, state)},
	{GNUTLS_OID_X520_LOCALITY_NAME, offsetof(struct tls_name, city)},
	{GNUTLS_OID_PKCS9_EMAIL, offsetof(struct tls_name, email)},
};

const struct tls_usage_row tls_usages[TLS_USAGES] = {
	{TLS_USAGE_DIGITAL_SIGNATURE, GNUTLS_KEY_DIGITAL_SIGNATURE, NULL},
	{TLS_USAGE_NON_REPUDIATION, GNUTLS_KEY_NON_REPUDIATION, NULL},
	{TLS_USAGE_KEY_ENCIPHERMENT, GNUTLS_KEY_KEY_ENCIPHERMENT, NULL},
	{TLS_USAGE_DATA_ENCIPHERMENT, GNUTLS_KEY_DATA_ENCIPHERMENT, NULL},
	{TLS_USAGE_KEY_AGREEMENT, GNUTLS_KEY_KEY_AGREEMENT, NULL},
	{TLS_USAGE_KEY_CERT_SIGN, GNUTLS_KEY_KEY_CERT_SIGN, NULL},
	{TLS_USAGE_CRL_SIGNING, GNUTLS_KEY_CRL_SIGN, NULL},
	{TLS_USAGE_ENCIPHER_ONLY, GNUTLS_KEY_ENCIPHER_ONLY, NULL},
	{TLS_USAGE_DECIPHER_ONLY, GNUTLS_KEY_DECIPHER_ONLY, NULL},
	{TLS_USAGE_SERVER_AUTHENTICATION, 0, GNUTLS_KP_TLS_WWW_SERVER},
	{TLS_USAGE_CLIENT_AUTHENTICATION, 0, GNUTLS_KP_TLS_WWW_CLIENT},
	{TLS_USAGE_CODE_SIGNING, 0, GNUTLS_KP_CODE_SIGNING},
	{TLS_USAGE_EMAIL_PROTECTION, 0, GNUTLS_KP_EMAIL_PROTECTION},
	{TLS_USAGE_TIMESTAMPING, 0, GNUTLS_KP_TIME_STAMPING},
	{TLS_USAGE_OCSP_SIGNING, 0, GNUTLS_KP_OCSP_SIGNING},
};

typedef int (*dn_text_fn)(gnutls_x509_crt_t crt, char *buf, size_t *size);
typedef int (*dn_part_fn)(gnutls_x509_crt_t crt, const char *oid, unsigned int index,
			  unsigned int raw, void *buf, size_t *size);

/* Return: a copy without control characters, NULL when out of memory. */
static char *copy_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_memdup(a, text, len);

	if (!copy)
		return NULL;
	/* A name with a NUL byte is not the name that it appears to be. */
	for (size_t i = 0; i < len; i++)
		if (copy[i] == '\0')
			copy[i] = '?';
	if (str_has_control(copy))
		str_make_plain(copy);
	return copy;
}

static bool read_name(struct arena *a, gnutls_x509_crt_t crt, dn_text_fn dn_text,
		      dn_part_fn dn_part, struct tls_name *ret)
{
	char text[NAME_TEXT_MAX];
	size_t size = sizeof(text);

	ret->text = dn_text(crt, text, &size) < 0 ? "" : copy_text(a, text, size);
	if (!ret->text)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char **field = (const char **)((char *)ret + parts[i].offset);

		size = sizeof(text);
		if (dn_part(crt, parts[i].oid, 0, 0, text, &size) < 0)
			continue;
		*field = copy_text(a, text, size);
		if (!*field)
			return false;
	}
	return true;
}

/* Return: a name as text; NULL when it is of a kind that has none here. */
static const char *alternative_text(struct arena *a, const char *bytes, size_t len, int type)
{
	char text[INET6_ADDRSTRLEN];

	if (type == GNUTLS_SAN_DNSNAME)
		return copy_text(a, bytes, len);
	if (type != GNUTLS_SAN_IPADDRESS || (len != 4 && len != 16) ||
	    !inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, text, sizeof(text)))
		return NULL;
	return arena_strdup(a, text);
}

static void read_alternative_names(struct tls_certificate *c, gnutls_x509_crt_t crt)
{
	char name[NAME_TEXT_MAX];
	size_t size = sizeof(name);
	int type;

	for (unsigned int i = 0;
	     c->n_alternative_names < TLS_ALTERNATIVE_NAMES_MAX &&
	     (type = gnutls_x509_crt_get_subject_alt_name(crt, i, name, &size, NULL)) !=
		     GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE;
	     i++, size = sizeof(name)) {
		const char *text = type < 0 ? NULL : alternative_text(c->memory, name, size, type);

		if (text)
			c->alternative_names[c->n_alternative_names++] = text;
		/* An extension that is not to be decoded has no end either. */
		else if (type < 0 && type != GNUTLS_E_SHORT_MEMORY_BUFFER)
			return;
	}
}

static void read_usage(struct tls_certificate *c, gnutls_x509_crt_t crt)
{
	unsigned int bits = 0;
	char oid[128];
	size_t size = sizeof(oid);

	(void)gnutls_x509_crt_get_key_usage(crt, &bits, NULL);
	for (size_t i = 0; i < TLS_USAGES; i++)
		if (bits & tls_usages[i].bit)
			c->usage |= tls_usages[i].usage;
	for (unsigned int i = 0; gnutls_x509_crt_get_key_purpose_oid(crt, i, oid, &size, NULL) >= 0;
	     i++, size = sizeof(oid))
		for (size_t k = 0; k < TLS_USAGES; k++)
			if (str_equal(oid, tls_usages[k].purpose))
				c->usage |= tls_usages[k].usage;
}

static void write_bytes(const unsigned char *bytes, size_t n, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < n && 3 * i + 3 <= size; i++)
		(void)snprintf(text + (i ? 3 * i - 1 : 0), 4, i ? ":%02X" : "%02X", bytes[i]);
}

static void read_numbers(struct tls_certificate *c, gnutls_x509_crt_t crt)
{
	unsigned char bytes[FINGERPRINT_BYTES];
	size_t n = sizeof(bytes);
	unsigned int bits = 0;
	int algorithm;

	if (gnutls_x509_crt_get_serial(crt, bytes, &n) >= 0)
		write_bytes(bytes, n, c->serial, sizeof(c->serial));
	n = sizeof(bytes);
	if (gnutls_x509_crt_get_fingerprint(crt, GNUTLS_DIG_SHA256, bytes, &n) >= 0)
		write_bytes(bytes, n, c->fingerprint, sizeof(c->fingerprint));
	c->not_before = gnutls_x509_crt_get_activation_time(crt);
	c->not_after = gnutls_x509_crt_get_expiration_time(crt);
	algorithm = gnutls_x509_crt_get_pk_algorithm(crt, &bits);
	c->key_algorithm = gnutls_pk_get_name((gnutls_pk_algorithm_t)algorithm);
	c->key_bits = bits;
	algorithm = gnutls_x509_crt_get_signature_algorithm(crt);
	c->signature_algorithm = gnutls_sign_get_name((gnutls_sign_algorithm_t)algorithm);
}

/* Return: the certificates as PEM text, NULL when out of memory. */
static char *chain_pem(struct arena *a, const gnutls_x509_crt_t *chain, size_t n)
{
	char *all = arena_strdup(a, "");

	for (size_t i = 0; i < n && all; i++) {
		gnutls_datum_t pem = {0};

		if (gnutls_x509_crt_export2(chain[i], GNUTLS_X509_FMT_PEM, &pem) < 0)
			return NULL;
		all = arena_printf(a, "%s%.*s", all, (int)pem.size, (const char *)pem.data);
		gnutls_free(pem.data);
	}
	return all;
}

struct tls_certificate *tls_certificate_new(const gnutls_x509_crt_t *chain, size_t n)
{
	struct tls_certificate *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->memory = arena_new();
	c->n_chain = n;
	if (!c->memory || !(c->pem = chain_pem(c->memory, chain, n)) ||
	    !read_name(c->memory, chain[0], gnutls_x509_crt_get_dn, gnutls_x509_crt_get_dn_by_oid,
		       &c->subject) ||
	    !read_name(c->memory, chain[0], gnutls_x509_crt_get_issuer_dn,
		       gnutls_x509_crt_get_issuer_dn_by_oid, &c->issuer))
		return tls_certificate_free(c);
	read_alternative_names(c, chain[0]);
	read_usage(c, chain[0]);
	read_numbers(c, chain[0]);
	return c;
}

struct tls_certificate *tls_certificate_free(struct tls_certificate *c)
{
	if (!c)
		return NULL;
	(void)arena_free(c->memory);
	free(c);
	return NULL;
}
