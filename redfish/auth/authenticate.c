// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/authenticate.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <sys/queue.h>

#include "redfish/auth/accounts_private.h"
#include "redfish/auth/login.h"

/* Return: whether the certificate has exactly one CommonName, which can be a user name. */
static bool common_name(const struct http_client *client, char ret[static PRINCIPAL_NAME_MAX])
{
	gnutls_datum_t der = {.data = (unsigned char *)(uintptr_t)client->certificate,
			      .size = (unsigned int)client->certificate_len};
	size_t len = PRINCIPAL_NAME_MAX, other = 0;
	gnutls_x509_crt_t certificate;
	bool found = false;

	if (gnutls_x509_crt_init(&certificate) < 0)
		return false;
	if (gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER) >= 0 &&
	    gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0, ret,
					  &len) >= 0)
		found = strlen(ret) == len &&
			gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 1,
						      0, NULL, &other) ==
				GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE;
	gnutls_x509_crt_deinit(certificate);
	return found;
}

static int by_certificate(struct accounts *a, const struct http_client *client,
			  struct principal *ret)
{
	char name[PRINCIPAL_NAME_MAX];

	if (!common_name(client, name) || !accounts_by_name(a, name, ret))
		return -EACCES;
	ret->means = AUTHENTICATION_CERTIFICATE;
	return 0;
}

static int by_peer(const struct authenticator *a, const struct http_client *client,
		   struct principal *ret)
{
	if (client->uid == 0 || client->uid == a->uid)
		ret->role = ROLE_ADMINISTRATOR;
	else if (client->in_own_group)
		ret->role = ROLE_READ_ONLY;
	else
		return -EACCES;
	ret->privileges = role_privileges(ret->role);
	ret->means = AUTHENTICATION_PEER;
	return 0;
}

static int by_address(const struct http_request *req, struct principal *ret)
{
	bool reads = req->method == METHOD_GET || req->method == METHOD_HEAD;

	ret->role = ROLE_READ_ONLY;
	ret->privileges = reads ? PRIVILEGE_LOGIN : 0;
	ret->means = AUTHENTICATION_NAMED_PEER;
	return 0;
}

/* Its changes are narrowed by core_peer_admits(). */
static int by_core(const struct http_request *req, struct principal *ret)
{
	bool reads = req->method == METHOD_GET || req->method == METHOD_HEAD;

	ret->role = ROLE_READ_ONLY;
	ret->privileges =
		reads ? PRIVILEGE_LOGIN : PRIVILEGE_CONFIGURE_COMPONENTS | PRIVILEGE_CONFIGURE_SELF;
	ret->means = AUTHENTICATION_CORE;
	return 0;
}

bool request_has_credential(const struct http_request *req)
{
	return req->headers[HEADER_AUTHORIZATION] || req->headers[HEADER_X_AUTH_TOKEN] ||
	       req->client.certificate;
}

int authenticate(const struct authenticator *a, const struct http_request *req,
		 struct principal *ret, unsigned int *ret_retry_s)
{
	const struct http_client *client = &req->client;
	const char *token = req->headers[HEADER_X_AUTH_TOKEN];

	if (client->access == HTTP_ACCESS_READ_ONLY)
		return by_address(req, ret);
	if (client->access == HTTP_ACCESS_CORE)
		return by_core(req, ret);
	if (token)
		return sessions_authenticate(a->sessions, token, ret) ? 0 : -EACCES;
	if (req->headers[HEADER_AUTHORIZATION])
		return basic_authenticate(a->basic, req, ret, ret_retry_s);
	if (client->certificate)
		return by_certificate(a->accounts, client, ret);
	if (client->transport == HTTP_OVER_UNIX && client->has_credentials)
		return by_peer(a, client, ret);
	return -EACCES;
}

/* The longest credential in base64: the longest name and password, with the colon, need 428. */
enum { CREDENTIAL_MAX = 512 };

/* The verdict of a check that accepted the credential; others are negative. */
enum { VERDICT_ACCEPTED = 1 };

struct waiter {
	STAILQ_ENTRY(waiter) next;
	struct http_pending *pending;
};

STAILQ_HEAD(waiters, waiter);

struct basic_check {
	LIST_ENTRY(basic_check) in_all;
	struct basic *basic;
	struct login *login;
	struct login_origin origin;
	uint8_t digest[DIGEST_BYTES];
	struct waiters waiters;
};

struct basic {
	struct accounts *accounts;
	struct jobs *jobs;
	pthread_mutex_t lock; /* guards the list and the waiters; taken before the accounts' */
	LIST_HEAD(basic_checks, basic_check) checks;
};

int basic_new(struct accounts *accounts, struct jobs *jobs, struct basic **ret, struct error *e)
{
	struct basic *b = calloc(1, sizeof(*b));

	if (!b)
		return error_set(e, ENOMEM, "out of memory");
	b->accounts = accounts;
	b->jobs = jobs;
	LIST_INIT(&b->checks);
	(void)pthread_mutex_init(&b->lock, NULL);
	*ret = b;
	return 0;
}

struct basic *basic_free(struct basic *b)
{
	if (!b)
		return NULL;
	(void)pthread_mutex_destroy(&b->lock);
	free(b);
	return NULL;
}

/* ---- the header -------------------------------------------------------------------------------
 */

/* Return: the base64 text; NULL when it is no Basic credential. */
static const char *token_of(const struct http_request *req)
{
	const char *token = req->headers[HEADER_AUTHORIZATION];

	if (!token || strncasecmp(token, "Basic ", 6) != 0)
		return NULL;
	token += 6;
	token += strspn(token, " ");
	return token[0] && strlen(token) <= CREDENTIAL_MAX ? token : NULL;
}

struct credential {
	char user[CREDENTIAL_MAX]; /* the password is behind it */
	const char *password;
};

/*
 * Only the canonical form of base64 is accepted: its digest is what is recognized later.
 *
 * Return: 0; -EINVAL.
 */
static int check_canonical(const gnutls_datum_t *plain, const char *token)
{
	gnutls_datum_t made = {0};
	int r = gnutls_base64_encode2(plain, &made);

	if (r >= 0)
		r = made.size == strlen(token) && memcmp(made.data, token, made.size) == 0 ? 0 : -1;
	if (made.data)
		gnutls_memset(made.data, 0, made.size);
	gnutls_free(made.data);
	return r < 0 ? -EINVAL : 0;
}

/* Return: 0; -EINVAL when it is malformed. The caller wipes @ret. */
static int decode(const char *token, struct credential *ret)
{
	gnutls_datum_t in = {.data = (unsigned char *)(uintptr_t)token,
			     .size = (unsigned int)strlen(token)};
	gnutls_datum_t plain = {0};
	int r = gnutls_base64_decode2(&in, &plain) < 0 ? -EINVAL : 0;
	char *colon;

	if (r == 0)
		r = check_canonical(&plain, token);
	if (r == 0 && plain.size < sizeof(ret->user) && !memchr(plain.data, '\0', plain.size)) {
		memcpy(ret->user, plain.data, plain.size);
		ret->user[plain.size] = '\0';
		colon = strchr(ret->user, ':');
		if (colon)
			*colon = '\0';
		ret->password = colon ? colon + 1 : NULL;
	}
	if (plain.data)
		gnutls_memset(plain.data, 0, plain.size);
	gnutls_free(plain.data);
	return r == 0 && ret->password ? 0 : -EINVAL;
}

/* ---- recognizing ------------------------------------------------------------------------------
 */

/*
 * Whether no lockout counts for a credential that is right: there is none, it is root, or the
 * connection was used with it before, by a client that goes on while another one of its address
 * guesses. Guesses on that connection are counted as all others.
 */
static bool is_exempt(struct accounts *a, const struct http_request *req, const struct principal *p)
{
	const struct http_note *note = req->client.note;

	return origin_is_root(&req->client) || (note && note->what == p->credential) ||
	       !accounts_have_lockouts(a);
}

int basic_authenticate(struct basic *b, const struct http_request *req, struct principal *ret,
		       unsigned int *ret_retry_s)
{
	const char *token = token_of(req);
	uint8_t digest[DIGEST_BYTES];
	struct login_origin origin;
	uint64_t wait = 0;
	int r;

	if (!token || req->verdict == -EACCES)
		return -EACCES;
	if (req->verdict < 0 || digest_make(&b->accounts->key, token, strlen(token), digest) < 0)
		return -EBUSY;
	r = accounts_by_digest(b->accounts, digest, NULL, ret, &wait);
	if (r == 0 && !is_exempt(b->accounts, req, ret)) {
		login_origin_of(&req->client, &origin);
		r = accounts_by_digest(b->accounts, digest, &origin, ret, &wait);
	}
	if (r == -EACCES)
		*ret_retry_s = login_retry_s(wait);
	if (r == 0)
		ret->means = AUTHENTICATION_BASIC;
	/* A change of the account came between: the client may try again. */
	if (r == -ENOENT && req->verdict == VERDICT_ACCEPTED)
		return -EBUSY;
	return r == -ENOENT ? -EINPROGRESS : r;
}

/* ---- checking ---------------------------------------------------------------------------------
 */

/* Return: requests that wait no more; the check is in no list then. */
static struct waiters take_waiters(struct basic_check *c)
{
	struct waiters ret = STAILQ_HEAD_INITIALIZER(ret);

	(void)pthread_mutex_lock(&c->basic->lock);
	if (!STAILQ_EMPTY(&c->waiters))
		LIST_REMOVE(c, in_all);
	STAILQ_CONCAT(&ret, &c->waiters);
	(void)pthread_mutex_unlock(&c->basic->lock);
	return ret;
}

static void answer_waiters(struct basic_check *c, int verdict)
{
	struct waiters waiters = take_waiters(c);
	struct waiter *w;

	while ((w = STAILQ_FIRST(&waiters))) {
		STAILQ_REMOVE_HEAD(&waiters, next);
		w->pending->again(w->pending, verdict);
		free(w);
	}
}

static int check_run(struct job *job, void *state)
{
	struct basic_check *c = state;
	struct principal unused;

	(void)job;
	return login_verify(c->login, &unused);
}

static void check_end(struct job *job, void *state, int result)
{
	(void)job;
	answer_waiters(state, result == 0 ? VERDICT_ACCEPTED : result);
}

static void check_abandon(struct job *job, void *state)
{
	(void)job;
	answer_waiters(state, -ESHUTDOWN);
}

static void check_free(void *state)
{
	struct basic_check *c = state;

	(void)login_free(c->login);
	explicit_bzero(c, sizeof(*c));
	free(c);
}

static const struct job_ops check_ops = {
	.class = JOB_LOGINS,
	.run = check_run,
	.end = check_end,
	.abandon = check_abandon,
	.free = check_free,
};

/* With the lock held. */
static struct basic_check *find_check(struct basic *b, const struct login_origin *o,
				      const uint8_t digest[DIGEST_BYTES])
{
	struct basic_check *c;

	LIST_FOREACH(c, &b->checks, in_all)
	if (login_origin_equal(&c->origin, o) && digest_equal(c->digest, digest))
		return c;
	return NULL;
}

/* With the lock held: the check cannot end before. Return: 0; -EBUSY. */
static int add_waiter(struct basic_check *c, struct http_call *call)
{
	struct waiter *w = malloc(sizeof(*w));

	if (!w)
		return -EBUSY;
	w->pending = http_call_suspend(call);
	if (!w->pending) {
		free(w);
		return -EBUSY;
	}
	STAILQ_INSERT_TAIL(&c->waiters, w, next);
	return 0;
}

static struct basic_check *new_check(struct basic *b, struct login *login,
				     const struct login_origin *o,
				     const uint8_t digest[DIGEST_BYTES])
{
	struct basic_check *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->basic = b;
	c->login = login;
	c->origin = *o;
	memcpy(c->digest, digest, sizeof(c->digest));
	STAILQ_INIT(&c->waiters);
	return c;
}

/* With the lock held. @ret: to be submitted */
static int begin_check(struct basic *b, const struct http_request *req,
		       const struct credential *credential, const uint8_t digest[DIGEST_BYTES],
		       struct http_call *call, struct basic_check **ret, unsigned int *ret_retry_s)
{
	struct basic_check *c;
	struct login_origin o;
	struct login *login;
	int r;

	r = login_begin(b->accounts, &req->client, credential->user, credential->password, &login,
			ret_retry_s);
	if (r < 0)
		return r == -EACCES ? r : -EBUSY;
	login_origin_of(&req->client, &o);
	c = new_check(b, login, &o, digest);
	if (!c) {
		(void)login_free(login);
		return -EBUSY;
	}
	r = add_waiter(c, call);
	if (r < 0) {
		check_free(c);
		return r;
	}
	LIST_INSERT_HEAD(&b->checks, c, in_all);
	*ret = c;
	return 0;
}

static int join_or_begin(struct basic *b, const struct http_request *req, const char *token,
			 const struct credential *credential, struct http_call *call,
			 unsigned int *ret_retry_s)
{
	struct basic_check *c = NULL, *begun = NULL;
	uint8_t digest[DIGEST_BYTES];
	struct login_origin o;
	int r;

	if (digest_make(&b->accounts->key, token, strlen(token), digest) < 0)
		return -EBUSY;
	login_origin_of(&req->client, &o);
	(void)pthread_mutex_lock(&b->lock);
	c = find_check(b, &o, digest);
	if (c)
		r = add_waiter(c, call);
	else
		r = begin_check(b, req, credential, digest, call, &begun, ret_retry_s);
	(void)pthread_mutex_unlock(&b->lock);
	if (begun && job_submit(b->jobs, &check_ops, begun, NULL) < 0) {
		answer_waiters(begun, -EBUSY);
		check_free(begun);
	}
	return r;
}

int basic_check(struct basic *b, const struct http_request *req, struct http_call *call,
		unsigned int *ret_retry_s)
{
	struct credential credential;
	const char *token = token_of(req);
	int r = -EACCES;

	credential.password = NULL;
	if (token && decode(token, &credential) == 0)
		r = join_or_begin(b, req, token, &credential, call, ret_retry_s);
	explicit_bzero(&credential, sizeof(credential));
	return r;
}

void basic_account(struct basic *b, const struct http_request *req,
		   char ret[static PRINCIPAL_NAME_MAX])
{
	struct credential credential;
	const char *token = token_of(req);
	struct account account;

	ret[0] = '\0';
	credential.password = NULL;
	if (token && decode(token, &credential) == 0 &&
	    accounts_find(b->accounts, credential.user, &account))
		memcpy(ret, account.name, PRINCIPAL_NAME_MAX);
	explicit_bzero(&credential, sizeof(credential));
}
