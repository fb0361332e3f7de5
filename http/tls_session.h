/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TLS_SESSION_H
#define CXLR_HTTP_TLS_SESSION_H

/*
 * The TLS side of one connection: the set that it began with, and the client's certificate.
 *
 * A client without a certificate is served. The handshake of one whose certificate does not verify
 * fails. A certificate is verified again when the authorities have changed and when it has expired,
 * also on a connection that stays open. Used by the connection's thread only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <gnutls/gnutls.h>

#include "http/tls.h"

/*
 * TLS 1.2 and 1.3; key exchanges with forward secrecy, authenticated ciphers, and the server's
 * order. A client cannot renegotiate: libmicrohttpd closes the connection.
 */
#define TLS_PRIORITIES                                                                             \
	"SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-256-CBC:-AES-128-CBC:"            \
	"-CAMELLIA-256-CBC:-CAMELLIA-128-CBC:%SERVER_PRECEDENCE"

struct tls_peer {
	struct tls_set *set;
	bool verified;	     /* by the authorities of `generation`, until `until` */
	uint64_t generation; /* 0: not looked at yet */
	time_t until;
	const unsigned char *certificate; /* DER, the session's; NULL: none that is valid */
	size_t certificate_len;
};

/* Before the handshake. Return: whether the session can be used. */
bool tls_peer_begin(struct tls_peer *p, struct tls_store *s, gnutls_session_t session);

/* Before each request: sets `certificate`. */
void tls_peer_check(struct tls_peer *p, struct tls_store *s, gnutls_session_t session);

void tls_peer_done(struct tls_peer *p);

#endif
