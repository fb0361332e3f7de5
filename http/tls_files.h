/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TLS_FILES_H
#define CXLR_HTTP_TLS_FILES_H

/*
 * Certificates and keys as PEM text and in files. Functions without state that wait for the disk;
 * any thread. Keys are wiped from the memory that these functions free.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gnutls/x509.h>

#include "common/error.h"
#include "http/tls_certificate.h"

/* Certificates that were parsed, in their order. */
struct tls_chain {
	gnutls_x509_crt_t items[TLS_CHAIN_MAX];
	unsigned int n;
};

void tls_chain_done(struct tls_chain *c);

/*
 * tls_chain_parse() - the certificates in a PEM text
 * @what: their name for the error
 *
 * Return: 0; -EINVAL when there is none, there are more than TLS_CHAIN_MAX, or one is damaged.
 */
int tls_chain_parse(const char *what, const char *pem, size_t len, struct tls_chain *ret,
		    struct error *e);

/* Return: 0; -EINVAL when there is no key that can be read, -ENOENT when there is none at all. */
int tls_key_parse(const char *what, const char *pem, size_t len, gnutls_x509_privkey_t *ret,
		  struct error *e);

/*
 * tls_certificate_check_strength() - the policy for keys and signatures of all certificates: of the
 * service, of authorities and of clients
 * @what: its name for the error
 *
 * Return: 0; -EINVAL for a key below RSA 2048 or its like, and for a signature by SHA-1 or less.
 */
int tls_certificate_check_strength(const char *what, gnutls_x509_crt_t crt, struct error *e);

/* Whether the public key of a certificate is the one of @key. */
bool tls_key_belongs(gnutls_x509_privkey_t key, gnutls_x509_crt_t certificate);

/* Reads a file with at most TLS_PEM_MAX bytes. Return: as above, and the errors of reading. */
int tls_chain_load(const char *path, struct tls_chain *ret, struct error *e);
int tls_key_load(const char *path, gnutls_x509_privkey_t *ret, struct error *e);

/* tls_file_write() - replace a file as a whole, durably, with mode 0600 or as @mode says */
int tls_file_write(const char *path, const void *bytes, size_t len, unsigned int mode,
		   struct error *e);

/* Writes a key with mode 0600. */
int tls_key_write(const char *path, gnutls_x509_privkey_t key, struct error *e);

int tls_chain_write(const char *path, const struct tls_chain *c, struct error *e);

#endif
