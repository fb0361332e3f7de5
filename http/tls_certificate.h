/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TLS_CERTIFICATE_H
#define CXLR_HTTP_TLS_CERTIFICATE_H

/*
 * The contents of a certificate, parsed once. Immutable, owned by the caller that made it; any
 * thread may read it.
 */

#include <stddef.h>
#include <time.h>

#include <gnutls/x509.h>

struct arena;

enum {
	TLS_PEM_MAX = 64 * 1024, /* bytes of a certificate file, a key file, a request's text */
	TLS_CHAIN_MAX = 16,	 /* certificates in a file or a text */
	TLS_ALTERNATIVE_NAMES_MAX = 32,
	TLS_FINGERPRINT_MAX = 96, /* SHA-256 as "AB:CD:..." with its NUL */
	TLS_SERIAL_MAX = 64,	  /* 20 bytes in the same form */
};

/* KeyUsage and ExtendedKeyUsage, with the names of Redfish's Certificate.KeyUsage. */
enum tls_usage {
	TLS_USAGE_DIGITAL_SIGNATURE = 1u << 0,
	TLS_USAGE_NON_REPUDIATION = 1u << 1,
	TLS_USAGE_KEY_ENCIPHERMENT = 1u << 2,
	TLS_USAGE_DATA_ENCIPHERMENT = 1u << 3,
	TLS_USAGE_KEY_AGREEMENT = 1u << 4,
	TLS_USAGE_KEY_CERT_SIGN = 1u << 5,
	TLS_USAGE_CRL_SIGNING = 1u << 6,
	TLS_USAGE_ENCIPHER_ONLY = 1u << 7,
	TLS_USAGE_DECIPHER_ONLY = 1u << 8,
	TLS_USAGE_SERVER_AUTHENTICATION = 1u << 9,
	TLS_USAGE_CLIENT_AUTHENTICATION = 1u << 10,
	TLS_USAGE_CODE_SIGNING = 1u << 11,
	TLS_USAGE_EMAIL_PROTECTION = 1u << 12,
	TLS_USAGE_TIMESTAMPING = 1u << 13,
	TLS_USAGE_OCSP_SIGNING = 1u << 14,
};

enum { TLS_USAGES = 15 };

/* How X.509 says each of them. */
struct tls_usage_row {
	unsigned int usage;
	unsigned int bit;    /* of KeyUsage, GNUTLS_KEY_...; 0: it is an extended one */
	const char *purpose; /* of ExtendedKeyUsage, an OID; NULL: it is none */
};

extern const struct tls_usage_row tls_usages[TLS_USAGES];

/* Parts of a distinguished name; NULL: it has none. The first of each kind. */
struct tls_name {
	const char *text; /* all of it, RFC 4514; never NULL */
	const char *common_name, *organization, *organizational_unit;
	const char *country, *state, *city, *email;
};

/* A certificate that was parsed. Immutable. No text has control characters. */
struct tls_certificate {
	struct arena *memory;
	const char *pem; /* of the server's: with the rest of its chain */
	size_t n_chain;	 /* certificates in `pem` */
	struct tls_name subject, issuer;
	const char *alternative_names[TLS_ALTERNATIVE_NAMES_MAX]; /* DNS names and addresses */
	size_t n_alternative_names;
	time_t not_before, not_after;
	char serial[TLS_SERIAL_MAX];	       /* "AB:CD:..." */
	char fingerprint[TLS_FINGERPRINT_MAX]; /* SHA-256 of the DER form, "AB:CD:..." */
	const char *signature_algorithm;       /* GnuTLS' name, "ECDSA-SHA256" */
	const char *key_algorithm;	       /* "EC/ECDSA", "RSA", ... */
	unsigned int key_bits;
	unsigned int usage; /* of enum tls_usage */
};

/*
 * tls_certificate_new() - read the facts of a certificate
 * @chain: the certificate, and the rest of its chain for `pem`; not kept
 *
 * Return: NULL when out of memory.
 */
struct tls_certificate *tls_certificate_new(const gnutls_x509_crt_t *chain, size_t n);

/* Accepts NULL. Return: NULL. */
struct tls_certificate *tls_certificate_free(struct tls_certificate *c);

#endif
