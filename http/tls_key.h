/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TLS_KEY_H
#define CXLR_HTTP_TLS_KEY_H

/*
 * New keys, and what is signed with them: a certificate for a service that has none, and requests
 * for certificates. Functions without state; any thread. Results belong to the caller.
 */

#include <stddef.h>

#include <gnutls/x509.h>

#include "common/error.h"

enum {
	TLS_NAME_MAX = 256,	   /* bytes of each text of a request for a certificate */
	TLS_VALID_DAYS = 10 * 365, /* of a certificate made here */
};

enum tls_key_algorithm {
	TLS_KEY_ECDSA, /* Redfish: TPM_ALG_ECDSA; curve NIST P-256 or P-384 */
	TLS_KEY_RSA,   /* Redfish: TPM_ALG_RSA */
};

/* A request for a certificate (PKCS #10). All texts UTF-8, at most TLS_NAME_MAX; NULL: none. */
struct tls_request {
	const char *common_name; /* required */
	const char *organization, *organizational_unit, *city, *state;
	const char *country; /* two letters */
	const char *email;
	const char *const *alternative_names; /* DNS names, IPv4 and IPv6 addresses */
	size_t n_alternative_names;
	enum tls_key_algorithm algorithm;
	unsigned int bits;  /* ECDSA: 256, 384; RSA: 2048, 3072, 4096; 0: the smallest */
	unsigned int usage; /* of enum tls_usage; 0: those of a TLS server */
};

/* Return: 0, -EINVAL naming the value that is wrong. */
int tls_request_check(const struct tls_request *r, struct error *e);

/* Makes a key. @bits as in struct tls_request. */
int tls_key_new(enum tls_key_algorithm algorithm, unsigned int bits, gnutls_x509_privkey_t *ret,
		struct error *e);

/*
 * tls_request_sign() - a checked request for a certificate for @key
 * @ret_pem: to be freed
 */
int tls_request_sign(const struct tls_request *r, gnutls_x509_privkey_t key, char **ret_pem,
		     struct error *e);

/*
 * tls_certificate_self_sign() - a certificate for a TLS server, signed by its own key
 * @names: DNS names and addresses, at least one, the first is the common name; others are left out
 */
int tls_certificate_self_sign(gnutls_x509_privkey_t key, const char *const *names, size_t n_names,
			      gnutls_x509_crt_t *ret, struct error *e);

/* Copies a certificate. Return: 0 or more; less: an error of GnuTLS. */
int tls_certificate_copy(gnutls_x509_crt_t crt, gnutls_x509_crt_t *ret);

#endif
