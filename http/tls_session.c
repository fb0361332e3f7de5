// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/tls_session.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include <gnutls/x509.h>

#include "common/clock.h"
#include "common/log.h"
#include "http/tls_files.h"

/* A client that connects again and again cannot fill the log. */
enum { REFUSED_LOG_MS = 10 * 1000 };

static void log_refused(gnutls_session_t session, unsigned int status)
{
	static _Atomic uint64_t due_ms;
	uint64_t now = clock_monotonic_ms(), due = atomic_load(&due_ms);
	struct sockaddr_storage ss = {.ss_family = AF_UNSPEC};
	char address[INET6_ADDRSTRLEN] = "an unknown address";
	socklen_t len = sizeof(ss);
	gnutls_datum_t reason = {0};

	if (now < due || !atomic_compare_exchange_strong(&due_ms, &due, now + REFUSED_LOG_MS))
		return;
	(void)getpeername(gnutls_transport_get_int(session), (struct sockaddr *)&ss, &len);
	if (ss.ss_family == AF_INET || ss.ss_family == AF_INET6)
		(void)inet_ntop(ss.ss_family,
				ss.ss_family == AF_INET
					? (void *)&((struct sockaddr_in *)&ss)->sin_addr
					: (void *)&((struct sockaddr_in6 *)&ss)->sin6_addr,
				address, sizeof(address));
	(void)gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &reason, 0);
	log_warning(
		"a TLS client at %s was refused because of its certificate: %s (more within %d seconds are not logged)",
		address, reason.data ? (const char *)reason.data : "it cannot be verified",
		REFUSED_LOG_MS / 1000);
	gnutls_free(reason.data);
}

/* The chain of a client is as strong as that of the service has to be. */
static bool is_strong(const gnutls_datum_t *list, unsigned int n)
{
	bool strong = n <= TLS_CHAIN_MAX;

	for (unsigned int i = 0; i < n && strong; i++) {
		gnutls_x509_crt_t crt;

		if (gnutls_x509_crt_init(&crt) < 0)
			return false;
		strong = gnutls_x509_crt_import(crt, &list[i], GNUTLS_X509_FMT_DER) >= 0 &&
			 tls_certificate_check_strength("the certificate", crt, NULL) == 0;
		gnutls_x509_crt_deinit(crt);
	}
	return strong;
}

/* Return: whether the certificates of the session's client are valid now; false with @ret_status.
 */
static bool chain_is_valid(struct tls_set *set, const gnutls_datum_t *list, unsigned int n,
			   time_t *ret_until, unsigned int *ret_status)
{
	gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID,
					 .data = (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT};
	gnutls_x509_crt_t chain[TLS_CHAIN_MAX];
	gnutls_x509_trust_list_t trusted = NULL;
	unsigned int n_chain = 0;
	int r = 0;

	*ret_status = GNUTLS_CERT_INVALID;
	gnutls_certificate_get_trust_list(set->credentials, &trusted);
	if (set->n_authorities == 0 || !trusted || n > TLS_CHAIN_MAX)
		return false;
	if (!is_strong(list, n)) {
		*ret_status |= GNUTLS_CERT_INSECURE_ALGORITHM;
		return false;
	}
	for (; n_chain < n && r >= 0; n_chain++) {
		r = gnutls_x509_crt_init(&chain[n_chain]);
		if (r < 0)
			break;
		r = gnutls_x509_crt_import(chain[n_chain], &list[n_chain], GNUTLS_X509_FMT_DER);
	}
	if (r >= 0)
		r = gnutls_x509_trust_list_verify_crt2(trusted, chain, n_chain, &purpose, 1, 0,
						       ret_status, NULL);
	if (r >= 0 && *ret_status == 0)
		*ret_until = gnutls_x509_crt_get_expiration_time(chain[0]);
	for (unsigned int i = 0; i < n_chain; i++)
		gnutls_x509_crt_deinit(chain[i]);
	return r >= 0 && *ret_status == 0;
}

/* In the handshake. Return: 0, or an error that ends it. */
static int verify_client(gnutls_session_t session)
{
	gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID,
					 .data = (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT};
	unsigned int n = 0, status = GNUTLS_CERT_INVALID | GNUTLS_CERT_INSECURE_ALGORITHM;
	const gnutls_datum_t *list = gnutls_certificate_get_peers(session, &n);

	if (!list || n == 0)
		return 0;
	if (is_strong(list, n) &&
	    gnutls_certificate_verify_peers(session, &purpose, 1, &status) >= 0 && status == 0)
		return 0;
	log_refused(session, status);
	(void)gnutls_alert_send(session, GNUTLS_AL_FATAL, GNUTLS_A_BAD_CERTIFICATE);
	return GNUTLS_E_CERTIFICATE_ERROR;
}

bool tls_peer_begin(struct tls_peer *p, struct tls_store *s, gnutls_session_t session)
{
	*p = (struct tls_peer){.set = tls_store_get(s)};
	if (p->set->n_authorities > 0) {
		gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
		gnutls_session_set_verify_function(session, verify_client);
	}
	return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, p->set->credentials) >= 0;
}

void tls_peer_check(struct tls_peer *p, struct tls_store *s, gnutls_session_t session)
{
	const gnutls_datum_t *list;
	unsigned int n = 0, status;
	struct tls_set *now;

	if (p->set->n_authorities == 0)
		return;
	list = gnutls_certificate_get_peers(session, &n);
	if (!list || n == 0)
		return;
	now = tls_store_get(s);
	if (now->generation != p->generation || (p->verified && time(NULL) > p->until)) {
		p->verified = chain_is_valid(now, list, n, &p->until, &status);
		p->generation = now->generation;
		p->certificate = p->verified ? list[0].data : NULL;
		p->certificate_len = p->verified ? list[0].size : 0;
		if (!p->verified)
			log_refused(session, status);
	}
	(void)tls_set_unref(now);
}

void tls_peer_done(struct tls_peer *p)
{
	p->set = tls_set_unref(p->set);
}
