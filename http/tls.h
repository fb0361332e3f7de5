/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TLS_H
#define CXLR_HTTP_TLS_H

/*
 * Certificate, key and client authorities of the TLS listeners.
 *
 * A struct tls_set is what is in use at one time: immutable, reference counted. Each change makes a
 * new one and swaps a pointer. A connection keeps the set that it began with, so no connection ends
 * by a change; the next one uses the new set. Only TLS 1.2 and 1.3 are spoken; sessions are not
 * resumed, so each connection is authenticated by its own handshake.
 *
 * The certificate comes from the first of: the files of the options; the state directory, where a
 * replaced one and the one made at the first start are (tls-certificate.pem, tls-key.pem with mode
 * 0600); a new one, self-signed, which without state directory is new at each start. Authorities
 * come from the files of the options, and from the state directory (tls-client-ca.pem) when they
 * were added at run time.
 *
 * tls_store_get() and the tls_set of it: any thread, never waits. All others wait for the disk, and
 * for each other: the thread of a job, or the main thread before the service starts.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "http/tls_certificate.h"
#include "http/tls_key.h"

struct gnutls_certificate_credentials_st;

enum {
	TLS_AUTHORITIES_MAX = 16,
	TLS_ID_MAX = 17, /* with its NUL */
};

/* A certificate authority for the certificates of clients. */
struct tls_authority {
	char id[TLS_ID_MAX]; /* the first digits of the fingerprint, "0123456789abcdef" */
	bool from_file;	     /* of the options: it cannot be removed at run time */
	struct tls_certificate *certificate;
};

struct tls_set {
	atomic_uint references;
	uint64_t generation; /* larger than that of all earlier sets of the store */
	struct tls_certificate *server;
	struct tls_authority authorities[TLS_AUTHORITIES_MAX];
	size_t n_authorities;
	unsigned int n_unsigned_crls; /* revocation lists of none of them, which are not used */
	bool replaceable;	      /* false: the certificate is a file of the options */
	struct gnutls_certificate_credentials_st *credentials; /* for http/ only */
};

struct tls_options {
	const char *state;		    /* directory; NULL: nothing is kept */
	const char *certificate_file;	    /* PEM, a chain that begins with the server's */
	const char *key_file;		    /* PEM, not encrypted; given with the certificate */
	const char *const *authority_files; /* PEM, each with one or more certificates */
	size_t n_authority_files;
	const char *crl_file; /* PEM: client certificates that these revoked; NULL: none */
	/* Addresses that are listened on, for the names of a certificate made here. */
	const char *const *addresses;
	size_t n_addresses;
};

struct tls_store;

/*
 * tls_store_new() - load the certificate, its key and the authorities; make what is missing
 * @o: copied
 *
 * A certificate that has expired is used, with a warning in the log: the clients decide, and the
 * service can be reached to replace it. Says in the log which certificate is used, and its
 * fingerprint when it was made here.
 *
 * Return: 0; -EINVAL naming the file when it holds no certificate or no key; -EKEYREJECTED naming
 * both when they do not belong together; the errors of reading and writing files.
 */
int tls_store_new(const struct tls_options *o, struct tls_store **ret, struct error *e);

/*
 * tls_check() - read the files that are given, and make nothing
 *
 * What tls_store_new() makes or finds in the state directory is not looked at.
 *
 * Return: as tls_store_new().
 */
int tls_check(const struct tls_options *o, struct error *e);

/* Connections may go on using its sets. Accepts NULL. Return: NULL. */
struct tls_store *tls_store_free(struct tls_store *s);

/*
 * tls_store_reload() - read all files again
 * @o: the options from now on, copied
 *
 * Return: as tls_store_new(); on failure everything remains as it was.
 */
int tls_store_reload(struct tls_store *s, const struct tls_options *o, struct error *e);

/* Return: one reference to what is in use. */
struct tls_set *tls_store_get(struct tls_store *s);

struct tls_set *tls_set_ref(struct tls_set *set);

/* Accepts NULL. Return: NULL. */
struct tls_set *tls_set_unref(struct tls_set *set);

/*
 * tls_store_replace() - use another certificate from now on, and keep it
 * @pem: a chain that begins with the server's certificate; with or without its private key
 *
 * Without a key, that of the last request for a certificate is used, or that of the certificate in
 * use, whichever belongs to it.
 *
 * Return: 0; -EPERM when the certificate is a file of the options; -EINVAL when @pem has no
 * certificate, is not one for TLS servers or has expired; -ENOKEY when no key is known that belongs
 * to it; -EKEYREJECTED when the key in @pem belongs to another certificate; errors of writing.
 * Nothing has changed then.
 */
int tls_store_replace(struct tls_store *s, const char *pem, size_t len, struct error *e);

/*
 * tls_store_make_request() - make a new key, and a request for a certificate for it
 * @ret_pem: the request; to be freed
 *
 * The key is kept, also over a restart, until the next one is made or its certificate is in use. It
 * takes up to some seconds (RSA).
 *
 * Return: 0; -EPERM as tls_store_replace(); -EINVAL naming the value that is wrong; others.
 */
int tls_store_make_request(struct tls_store *s, const struct tls_request *r, char **ret_pem,
			   struct error *e);

/*
 * tls_store_add_authority() - accept certificates of clients that @pem has issued
 * @pem: one certificate, of an authority
 * @ret_id: set to its id; may be NULL
 *
 * Return: 0; -EINVAL when @pem is not one certificate, not one of an authority or has expired;
 * -EEXIST when it is there; -ENOSPC with TLS_AUTHORITIES_MAX; errors of writing.
 */
int tls_store_add_authority(struct tls_store *s, const char *pem, size_t len,
			    char ret_id[TLS_ID_MAX], struct error *e);

/* Return: 0; -ENOENT; -EPERM when it is from a file of the options; errors of writing. */
int tls_store_remove_authority(struct tls_store *s, const char *id, struct error *e);

#endif
