// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/tls.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/host_name.h"
#include "common/log.h"
#include "common/strutil.h"
#include "http/tls_files.h"

#define CERTIFICATE_FILE "tls-certificate.pem"
#define KEY_FILE	 "tls-key.pem"
#define NEXT_KEY_FILE	 "tls-key-next.pem"    /* while a certificate is being replaced */
#define REQUEST_KEY_FILE "tls-key-request.pem" /* of the last request for a certificate */
#define AUTHORITIES_FILE "tls-client-ca.pem"

/* The lists of a large authority, with 20,000 certificates. */
enum { TLS_CRL_BYTES_MAX = 1024 * 1024 };

enum { OWN_NAMES_MAX = 8 + TLS_ALTERNATIVE_NAMES_MAX, CA_FILE_MODE = 0600 };

/* Where a key may be that belongs to the certificate in the state directory, whenever the process
 * ended while it wrote them. */
static const char *const key_files[] = {KEY_FILE, NEXT_KEY_FILE, REQUEST_KEY_FILE};

/* The parts of a set. */
struct material {
	struct tls_chain chain;
	gnutls_x509_privkey_t key;
	bool replaceable;
	struct tls_chain authorities;
	bool from_file[TLS_AUTHORITIES_MAX];
	char *revoked; /* the file of revocation lists (PEM); NULL: none */
	size_t revoked_len;
};

struct tls_store {
	pthread_mutex_t change; /* held by each change, which waits for the disk */
	struct arena *memory;	/* of the options */
	struct tls_options options;
	struct material material;
	gnutls_x509_privkey_t request_key; /* NULL: none */

	pthread_mutex_t lock; /* guards the pointer */
	struct tls_set *set;
};

static int out_of_memory(struct error *e)
{
	return error_set(e, ENOMEM, "out of memory");
}

/* ---- material ---------------------------------------------------------------------------------
 */

static void material_done(struct material *m)
{
	tls_chain_done(&m->chain);
	tls_chain_done(&m->authorities);
	gnutls_x509_privkey_deinit(m->key);
	free(m->revoked);
	*m = (struct material){0};
}

static int append_copy(struct tls_chain *to, gnutls_x509_crt_t crt)
{
	const int r = tls_certificate_copy(crt, &to->items[to->n]);

	to->n += r >= 0;
	return r < 0 ? -ENOMEM : 0;
}

static int copy_chain(struct tls_chain *to, const struct tls_chain *from)
{
	int r = 0;

	for (unsigned int i = 0; i < from->n && r >= 0; i++)
		r = append_copy(to, from->items[i]);
	return r;
}

static int copy_key(gnutls_x509_privkey_t from, gnutls_x509_privkey_t *ret)
{
	gnutls_x509_privkey_t copy = NULL;

	if (gnutls_x509_privkey_init(&copy) < 0 || gnutls_x509_privkey_cpy(copy, from) < 0) {
		gnutls_x509_privkey_deinit(copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

static int material_copy(const struct material *from, struct material *to, struct error *e)
{
	*to = (struct material){.replaceable = from->replaceable};
	memcpy(to->from_file, from->from_file, sizeof(to->from_file));
	if (from->revoked && !(to->revoked = malloc(from->revoked_len)))
		return out_of_memory(e);
	if (from->revoked) {
		memcpy(to->revoked, from->revoked, from->revoked_len);
		to->revoked_len = from->revoked_len;
	}
	if (copy_chain(&to->chain, &from->chain) < 0 ||
	    copy_chain(&to->authorities, &from->authorities) < 0 ||
	    copy_key(from->key, &to->key) < 0) {
		material_done(to);
		return out_of_memory(e);
	}
	return 0;
}

static bool has_authority(const struct material *m, gnutls_x509_crt_t crt)
{
	for (unsigned int i = 0; i < m->authorities.n; i++)
		if (gnutls_x509_crt_equals(m->authorities.items[i], crt))
			return true;
	return false;
}

static bool has_expired(gnutls_x509_crt_t crt)
{
	return gnutls_x509_crt_get_expiration_time(crt) < time(NULL);
}

/* Checks the properties that every certificate of a server must have, expired or not. */
static int check_server(const char *what, gnutls_x509_crt_t crt, struct error *e)
{
	if (gnutls_x509_crt_get_version(crt) != 3)
		return error_set(e, EINVAL, "%s is no X.509 certificate of version 3", what);
	if (!gnutls_x509_crt_check_key_purpose(crt, GNUTLS_KP_TLS_WWW_SERVER, 0))
		return error_set(
			e, EINVAL,
			"%s is no certificate for TLS servers: its extended key usage does not name them",
			what);
	return tls_certificate_check_strength(what, crt, e);
}

/* ---- sets -------------------------------------------------------------------------------------
 */

struct tls_set *tls_set_ref(struct tls_set *set)
{
	(void)atomic_fetch_add_explicit(&set->references, 1, memory_order_relaxed);
	return set;
}

struct tls_set *tls_set_unref(struct tls_set *set)
{
	if (!set || atomic_fetch_sub_explicit(&set->references, 1, memory_order_acq_rel) > 1)
		return NULL;
	(void)tls_certificate_free(set->server);
	for (size_t i = 0; i < set->n_authorities; i++)
		(void)tls_certificate_free(set->authorities[i].certificate);
	gnutls_certificate_free_credentials(set->credentials);
	free(set);
	return NULL;
}

/* The first bytes of a fingerprint without the colons, in lower case. */
static void write_id(const char *fingerprint, char ret[static TLS_ID_MAX])
{
	size_t n = 0;

	for (const char *s = fingerprint; *s && n < TLS_ID_MAX - 1; s++)
		if (*s != ':')
			ret[n++] = (char)tolower((unsigned char)*s);
	ret[n] = '\0';
}

static int set_authorities(struct tls_set *set, struct material *m)
{
	for (unsigned int i = 0; i < m->authorities.n; i++) {
		struct tls_authority *a = &set->authorities[i];

		a->certificate = tls_certificate_new(&m->authorities.items[i], 1);
		if (!a->certificate)
			return GNUTLS_E_MEMORY_ERROR;
		set->n_authorities++;
		a->from_file = m->from_file[i];
		write_id(a->certificate->fingerprint, a->id);
	}
	return m->authorities.n == 0
		       ? 0
		       : gnutls_certificate_set_x509_trust(set->credentials, m->authorities.items,
							   (int)m->authorities.n);
}

/* Return: the revocation lists of the file, an array of @ret_n of the caller's; NULL: an error. */
static gnutls_x509_crl_t *parse_crls(const struct material *m, unsigned int *ret_n)
{
	const gnutls_datum_t text = {(unsigned char *)m->revoked, (unsigned int)m->revoked_len};
	gnutls_x509_crl_t *lists = NULL;

	*ret_n = 0;
	return gnutls_x509_crl_list_import2(&lists, ret_n, &text, GNUTLS_X509_FMT_PEM, 0) < 0
		       ? NULL
		       : lists;
}

/*
 * Lists that no authority has signed are not used: an authority that signed one may be removed.
 * Return: 0, with their number in set->n_unsigned_crls, or an error of GnuTLS.
 */
static int set_crls(struct tls_set *set, const struct material *m)
{
	gnutls_x509_trust_list_t trusted = NULL;
	gnutls_x509_crl_t *lists;
	unsigned int n;
	int r = 0;

	if (!m->revoked)
		return 0;
	gnutls_certificate_get_trust_list(set->credentials, &trusted);
	/* It was read before: only the memory can be missing. */
	lists = parse_crls(m, &n);
	if (!lists)
		return GNUTLS_E_MEMORY_ERROR;
	for (unsigned int i = 0; i < n; i++) {
		unsigned int status = 0;

		if (r >= 0 &&
		    gnutls_x509_crl_verify(lists[i], m->authorities.items, m->authorities.n,
					   GNUTLS_VERIFY_DISABLE_TIME_CHECKS, &status) >= 0 &&
		    status == 0) {
			/* Takes it over. */
			r = gnutls_x509_trust_list_add_crls(trusted, &lists[i], 1, 0, 0);
		} else {
			set->n_unsigned_crls++;
			gnutls_x509_crl_deinit(lists[i]);
		}
	}
	gnutls_free(lists);
	return r < 0 ? r : 0;
}

static int set_new(struct material *m, uint64_t generation, struct tls_set **ret, struct error *e)
{
	struct tls_set *set = calloc(1, sizeof(*set));
	int r;

	if (!set)
		return out_of_memory(e);
	atomic_init(&set->references, 1);
	set->generation = generation;
	set->replaceable = m->replaceable;
	set->server = tls_certificate_new(m->chain.items, m->chain.n);
	r = set->server ? gnutls_certificate_allocate_credentials(&set->credentials)
			: GNUTLS_E_MEMORY_ERROR;
	if (r >= 0)
		r = gnutls_certificate_set_x509_key(set->credentials, m->chain.items,
						    (int)m->chain.n, m->key);
	if (r >= 0)
		r = set_authorities(set, m);
	if (r >= 0)
		r = set_crls(set, m);
	if (r < 0) {
		(void)tls_set_unref(set);
		return error_set(e, EINVAL, "the certificate cannot be used for TLS: %s",
				 gnutls_strerror(r));
	}
	*ret = set;
	return 0;
}

struct tls_set *tls_store_get(struct tls_store *s)
{
	struct tls_set *set;

	(void)pthread_mutex_lock(&s->lock);
	set = tls_set_ref(s->set);
	(void)pthread_mutex_unlock(&s->lock);
	return set;
}

/* Takes over both. With the change lock held, or before the store is shared. */
static void store_use(struct tls_store *s, struct material *m, struct tls_set *set)
{
	struct tls_set *old;

	material_done(&s->material);
	s->material = *m;
	*m = (struct material){0};
	(void)pthread_mutex_lock(&s->lock);
	old = s->set;
	s->set = set;
	(void)pthread_mutex_unlock(&s->lock);
	(void)tls_set_unref(old);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static int state_path(const struct tls_options *o, const char *name, char ret[static PATH_MAX],
		      struct error *e)
{
	return snprintf(ret, PATH_MAX, "%s/%s", o->state, name) >= PATH_MAX
		       ? error_set(e, ENAMETOOLONG, "the path of the state directory is too long")
		       : 0;
}

static int load_given(const struct tls_options *o, struct material *m, struct error *e)
{
	int r = tls_chain_load(o->certificate_file, &m->chain, e);

	if (r >= 0)
		r = check_server(o->certificate_file, m->chain.items[0], e);
	if (r >= 0)
		r = tls_key_load(o->key_file, &m->key, e);
	if (r >= 0 && !tls_key_belongs(m->key, m->chain.items[0]))
		r = error_set(
			e, EKEYREJECTED,
			"the private key in %s does not belong to the first certificate in %s",
			o->key_file, o->certificate_file);
	m->replaceable = false;
	return r;
}

/* Return: 0; -ENOENT when there is no certificate in the state directory. */
static int load_kept(const struct tls_options *o, struct material *m, struct error *e)
{
	char path[PATH_MAX], key_path[PATH_MAX];
	int r = state_path(o, CERTIFICATE_FILE, path, e);

	if (r >= 0)
		r = tls_chain_load(path, &m->chain, e);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(key_files); i++) {
		if (state_path(o, key_files[i], key_path, NULL) < 0 ||
		    tls_key_load(key_path, &m->key, NULL) < 0)
			continue;
		if (tls_key_belongs(m->key, m->chain.items[0]))
			return 0;
		gnutls_x509_privkey_deinit(m->key);
		m->key = NULL;
	}
	return error_set(e, EKEYREJECTED,
			 "the private key of %s is not in " KEY_FILE
			 " beside it; remove both files to have new ones made",
			 path);
}

/* The names of this machine and where it listens. Return: how many. */
static size_t own_names(const struct tls_options *o, char host[static HOST_NAME_BYTES],
			const char *ret[static OWN_NAMES_MAX])
{
	size_t n = 0;

	if (gethostname(host, HOST_NAME_BYTES) == 0 && host[0] != '\0' &&
	    !str_equal(host, "localhost")) {
		host[HOST_NAME_BYTES - 1] = '\0';
		ret[n++] = host;
	}
	ret[n++] = "localhost";
	ret[n++] = "127.0.0.1";
	ret[n++] = "::1";
	for (size_t i = 0; i < o->n_addresses && n < OWN_NAMES_MAX; i++) {
		const char *address = o->addresses[i];
		bool known = str_equal(address, "0.0.0.0") || str_equal(address, "::");

		for (size_t k = 0; k < n && !known; k++)
			known = str_equal(address, ret[k]);
		if (!known)
			ret[n++] = address;
	}
	return n;
}

/* The key is written first: a certificate without its key would prevent the next start. */
static int make_own(const struct tls_options *o, struct material *m, struct error *e)
{
	char host[HOST_NAME_BYTES], path[PATH_MAX];
	const char *names[OWN_NAMES_MAX];
	size_t n = own_names(o, host, names);
	int r = tls_key_new(TLS_KEY_ECDSA, 0, &m->key, e);

	if (r >= 0)
		r = tls_certificate_self_sign(m->key, names, n, &m->chain.items[0], e);
	if (r < 0)
		return r;
	m->chain.n = 1;
	m->replaceable = true;
	if (!o->state)
		return 0;
	r = state_path(o, KEY_FILE, path, e);
	if (r >= 0)
		r = tls_key_write(path, m->key, e);
	if (r >= 0)
		r = state_path(o, CERTIFICATE_FILE, path, e);
	return r < 0 ? r : tls_chain_write(path, &m->chain, e);
}

static int add_authorities(struct material *m, const struct tls_chain *c, bool from_file,
			   const char *path, struct error *e)
{
	for (unsigned int i = 0; i < c->n; i++) {
		if (has_authority(m, c->items[i]))
			continue;
		if (m->authorities.n == TLS_AUTHORITIES_MAX)
			return error_set(
				e, ENOSPC,
				"%s has one certificate authority more than the %d that are supported",
				path, TLS_AUTHORITIES_MAX);
		if (gnutls_x509_crt_get_ca_status(c->items[i], NULL) <= 0)
			return error_set(e, EINVAL,
					 "%s has a certificate that is not one of an authority",
					 path);
		if (tls_certificate_check_strength(path, c->items[i], e) < 0)
			return -EINVAL;
		m->from_file[m->authorities.n] = from_file;
		if (append_copy(&m->authorities, c->items[i]) < 0)
			return out_of_memory(e);
	}
	return 0;
}

static int load_authorities(const struct tls_options *o, struct material *m, struct error *e)
{
	struct tls_chain c = {.n = 0};
	char path[PATH_MAX];
	int r = 0;

	for (size_t i = 0; i < o->n_authority_files && r >= 0; i++) {
		r = tls_chain_load(o->authority_files[i], &c, e);
		if (r >= 0)
			r = add_authorities(m, &c, true, o->authority_files[i], e);
		tls_chain_done(&c);
	}
	if (r < 0 || !o->state)
		return r;
	r = state_path(o, AUTHORITIES_FILE, path, e);
	if (r < 0 || access(path, F_OK) < 0)
		return r;
	r = tls_chain_load(path, &c, e);
	if (r >= 0)
		r = add_authorities(m, &c, false, path, e);
	tls_chain_done(&c);
	return r;
}

/* Certificates that are only in memory stay when the files are read again. @old: NULL at the start.
 */
static int keep_memory(const struct tls_options *o, const struct material *old, struct material *m,
		       struct error *e)
{
	int r = 0;

	if (!old || o->state)
		return 0;
	for (unsigned int i = 0; i < old->authorities.n && r >= 0; i++)
		if (!old->from_file[i] && m->authorities.n < TLS_AUTHORITIES_MAX &&
		    !has_authority(m, old->authorities.items[i]))
			r = append_copy(&m->authorities, old->authorities.items[i]);
	if (r >= 0 && !o->certificate_file && old->replaceable && !m->key) {
		m->replaceable = true;
		r = copy_chain(&m->chain, &old->chain);
		if (r >= 0)
			r = copy_key(old->key, &m->key);
	}
	return r < 0 ? out_of_memory(e) : 0;
}

static int load_own(const struct tls_options *o, struct material *m, struct error *e)
{
	int r = -ENOENT;

	if (m->key) /* kept in memory */
		return 0;
	m->replaceable = true;
	if (o->state)
		r = load_kept(o, m, e);
	return r == -ENOENT ? make_own(o, m, e) : r;
}

/* @file: NULL for none. Warns of lists that should have been replaced: they are used. */
static int load_crls(const char *file, struct material *m, struct error *e)
{
	gnutls_x509_crl_t *lists;
	unsigned int n;
	int r;

	if (!file)
		return 0;
	r = read_file_at(AT_FDCWD, file, TLS_CRL_BYTES_MAX, &m->revoked, &m->revoked_len);
	if (r < 0)
		return error_set(e, r, "cannot read %s: %s", file, strerror(-r));
	lists = parse_crls(m, &n);
	if (!lists)
		return error_set(e, EINVAL,
				 "%s has no certificate revocation list that can be read (PEM)",
				 file);
	for (unsigned int i = 0; i < n; i++) {
		const time_t next = gnutls_x509_crl_get_next_update(lists[i]);

		if (next != (time_t)-1 && next < time(NULL))
			log_warning(
				"%s should have been replaced by its authority's next revocation list, which may have more certificates",
				file);
		gnutls_x509_crl_deinit(lists[i]);
	}
	gnutls_free(lists);
	return 0;
}

static int material_load(const struct tls_options *o, const struct material *old,
			 struct material *m, struct error *e)
{
	int r = load_authorities(o, m, e);

	if (r >= 0)
		r = load_crls(o->crl_file, m, e);
	if (r >= 0)
		r = keep_memory(o, old, m, e);
	if (r >= 0)
		r = o->certificate_file ? load_given(o, m, e) : load_own(o, m, e);
	return r;
}

/* ---- the store --------------------------------------------------------------------------------
 */

static void log_certificate(const struct tls_options *o, const struct tls_set *set)
{
	const struct tls_certificate *c = set->server;
	const char *source = o->certificate_file ? o->certificate_file
			     : o->state		 ? o->state
						 : "memory, another one after the next start";
	char until[32] = "";
	struct tm tm;

	if (gmtime_r(&c->not_after, &tm))
		(void)strftime(until, sizeof(until), "%Y-%m-%d", &tm);
	log_info("TLS certificate of %s from %s, valid until %s, SHA-256 %s", c->subject.text,
		 source, until, c->fingerprint);
	if (c->not_after < time(NULL))
		log_warning(
			"the TLS certificate of %s has expired on %s: clients that verify it will not connect",
			c->subject.text, until);
	for (size_t i = 0; i < set->n_authorities; i++)
		log_info("TLS clients are accepted with certificates of %s",
			 set->authorities[i].certificate->subject.text);
}

static const char *const *copy_list(struct arena *a, const char *const *list, size_t n)
{
	const char **copy = ARENA_ARRAY(a, n + 1, const char *);

	for (size_t i = 0; copy && i < n; i++)
		if (!(copy[i] = arena_strdup(a, list[i])))
			return NULL;
	return copy;
}

/* Return: false when out of memory. */
static bool copy_options(struct arena *a, const struct tls_options *o, struct tls_options *ret)
{
	*ret = *o;
	ret->state = arena_strdup(a, o->state);
	ret->certificate_file = arena_strdup(a, o->certificate_file);
	ret->key_file = arena_strdup(a, o->key_file);
	ret->crl_file = arena_strdup(a, o->crl_file);
	ret->authority_files = copy_list(a, o->authority_files, o->n_authority_files);
	ret->addresses = copy_list(a, o->addresses, o->n_addresses);
	return (ret->state || !o->state) && (ret->certificate_file || !o->certificate_file) &&
	       (ret->key_file || !o->key_file) && (ret->crl_file || !o->crl_file) &&
	       ret->authority_files && ret->addresses;
}

/* With the change lock held. @old: what is in use; NULL at the start. */
static int store_load(struct tls_store *s, const struct tls_options *o, const struct material *old,
		      struct error *e)
{
	struct arena *memory = arena_new();
	struct tls_options copy = {0};
	struct material m = {0};
	struct tls_set *set;
	int r;

	r = memory && copy_options(memory, o, &copy) ? 0 : out_of_memory(e);
	if (r >= 0)
		r = material_load(&copy, old, &m, e);
	if (r >= 0)
		r = set_new(&m, s->set ? s->set->generation + 1 : 1, &set, e);
	if (r >= 0 && set->n_unsigned_crls) {
		r = error_set(e, EINVAL,
			      "%s has %u revocation lists that no authority of clients has signed",
			      copy.crl_file, set->n_unsigned_crls);
		(void)tls_set_unref(set);
	}
	if (r < 0) {
		material_done(&m);
		(void)arena_free(memory);
		return r;
	}
	store_use(s, &m, set);
	(void)arena_free(s->memory);
	s->memory = memory;
	s->options = copy;
	log_certificate(&copy, set);
	return 0;
}

static void load_request_key(struct tls_store *s)
{
	char path[PATH_MAX];

	if (s->options.state && state_path(&s->options, REQUEST_KEY_FILE, path, NULL) >= 0)
		(void)tls_key_load(path, &s->request_key, NULL);
}

int tls_check(const struct tls_options *o, struct error *e)
{
	struct tls_options given = *o;
	struct material m = {0};
	int r;

	given.state = NULL;
	r = load_authorities(&given, &m, e);
	if (r >= 0)
		r = load_crls(given.crl_file, &m, e);
	if (r >= 0 && given.certificate_file)
		r = load_given(&given, &m, e);
	material_done(&m);
	return r;
}

int tls_store_new(const struct tls_options *o, struct tls_store **ret, struct error *e)
{
	struct tls_store *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return out_of_memory(e);
	(void)pthread_mutex_init(&s->change, NULL);
	(void)pthread_mutex_init(&s->lock, NULL);
	r = store_load(s, o, NULL, e);
	if (r < 0) {
		(void)tls_store_free(s);
		return r;
	}
	load_request_key(s);
	*ret = s;
	return 0;
}

struct tls_store *tls_store_free(struct tls_store *s)
{
	if (!s)
		return NULL;
	(void)tls_set_unref(s->set);
	material_done(&s->material);
	gnutls_x509_privkey_deinit(s->request_key);
	(void)arena_free(s->memory);
	(void)pthread_mutex_destroy(&s->lock);
	(void)pthread_mutex_destroy(&s->change);
	free(s);
	return NULL;
}

int tls_store_reload(struct tls_store *s, const struct tls_options *o, struct error *e)
{
	int r;

	(void)pthread_mutex_lock(&s->change);
	r = store_load(s, o, &s->material, e);
	(void)pthread_mutex_unlock(&s->change);
	return r;
}

/* ---- another certificate ----------------------------------------------------------------------
 */

static int check_replaceable(const struct tls_store *s, struct error *e)
{
	return s->material.replaceable
		       ? 0
		       : error_set(
				 e, EPERM,
				 "the certificate is the file %s of the configuration: replace that file and reload the service",
				 s->options.certificate_file);
}

/* Return: whether @m has its key now: that of the text, of the last request, or the one in use. */
static int find_key(const struct tls_store *s, const char *pem, size_t len, struct material *m,
		    struct error *e)
{
	const gnutls_x509_privkey_t known[] = {s->request_key, s->material.key};
	int r = tls_key_parse("the text", pem, len, &m->key, e);

	if (r >= 0)
		return tls_key_belongs(m->key, m->chain.items[0])
			       ? 0
			       : error_set(e, EKEYREJECTED,
					   "the private key does not belong to the certificate");
	if (r != -ENOENT)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i] && tls_key_belongs(known[i], m->chain.items[0]))
			return copy_key(known[i], &m->key) < 0 ? out_of_memory(e) : 0;
	return error_set(
		e, ENOKEY,
		"the private key of the certificate is not known: it is neither that of the last request for a certificate nor the one in use");
}

/* The certificate's rename is the moment of the change: before and after it, a key belongs to it.
 */
static int write_pair(const struct tls_options *o, struct material *m, struct error *e)
{
	char next[PATH_MAX], key[PATH_MAX], certificate[PATH_MAX], request[PATH_MAX];
	int r;

	if (!o->state)
		return 0;
	if ((r = state_path(o, NEXT_KEY_FILE, next, e)) < 0 ||
	    (r = state_path(o, KEY_FILE, key, e)) < 0 ||
	    (r = state_path(o, REQUEST_KEY_FILE, request, e)) < 0 ||
	    (r = state_path(o, CERTIFICATE_FILE, certificate, e)) < 0)
		return r;
	r = tls_key_write(next, m->key, e);
	if (r >= 0)
		r = tls_chain_write(certificate, &m->chain, e);
	if (r < 0) {
		(void)unlink(next);
		return r;
	}
	/* If this fails, the key is found in the other file. */
	if (rename(next, key) == 0)
		(void)unlink(request);
	return 0;
}

static int replace(struct tls_store *s, const char *pem, size_t len, struct material *m,
		   struct error *e)
{
	struct tls_chain chain;
	struct tls_set *set;
	int r = check_replaceable(s, e);

	if (r >= 0)
		r = material_copy(&s->material, m, e);
	if (r >= 0)
		r = tls_chain_parse("the text", pem, len, &chain, e);
	if (r < 0)
		return r;
	tls_chain_done(&m->chain);
	m->chain = chain;
	gnutls_x509_privkey_deinit(m->key);
	m->key = NULL;
	r = check_server("the first one", m->chain.items[0], e);
	if (r >= 0 && has_expired(m->chain.items[0]))
		r = error_set(e, EINVAL, "the certificate has expired");
	if (r >= 0)
		r = find_key(s, pem, len, m, e);
	if (r >= 0)
		r = set_new(m, s->set->generation + 1, &set, e);
	if (r < 0)
		return r;
	r = write_pair(&s->options, m, e);
	if (r < 0) {
		(void)tls_set_unref(set);
		return r;
	}
	store_use(s, m, set);
	gnutls_x509_privkey_deinit(s->request_key);
	s->request_key = NULL;
	log_certificate(&s->options, set);
	return 0;
}

int tls_store_replace(struct tls_store *s, const char *pem, size_t len, struct error *e)
{
	struct material m = {0};
	int r;

	(void)pthread_mutex_lock(&s->change);
	r = replace(s, pem, len, &m, e);
	(void)pthread_mutex_unlock(&s->change);
	material_done(&m);
	return r;
}

int tls_store_make_request(struct tls_store *s, const struct tls_request *r, char **ret_pem,
			   struct error *e)
{
	_cleanup_free_ char *pem = NULL;
	gnutls_x509_privkey_t key = NULL;
	char path[PATH_MAX];
	int result = tls_request_check(r, e);

	if (result < 0)
		return result;
	(void)pthread_mutex_lock(&s->change);
	result = check_replaceable(s, e);
	if (result >= 0)
		result = tls_key_new(r->algorithm, r->bits, &key, e);
	if (result >= 0)
		result = tls_request_sign(r, key, &pem, e);
	if (result >= 0 && s->options.state)
		result = state_path(&s->options, REQUEST_KEY_FILE, path, e);
	if (result >= 0 && s->options.state)
		result = tls_key_write(path, key, e);
	if (result >= 0) {
		gnutls_x509_privkey_deinit(s->request_key);
		s->request_key = STEAL_PTR(key);
		*ret_pem = STEAL_PTR(pem);
	}
	(void)pthread_mutex_unlock(&s->change);
	gnutls_x509_privkey_deinit(key);
	return result;
}

/* ---- authorities ------------------------------------------------------------------------------
 */

/* Writes those that were added at run time, and uses @m from now on. */
static int use_authorities(struct tls_store *s, struct material *m, struct error *e)
{
	struct tls_chain added = {.n = 0};
	char path[PATH_MAX];
	struct tls_set *set;
	int r;

	for (unsigned int i = 0; i < m->authorities.n; i++)
		if (!m->from_file[i])
			added.items[added.n++] = m->authorities.items[i];
	r = set_new(m, s->set->generation + 1, &set, e);
	if (r < 0)
		return r;
	if (s->options.state) {
		r = state_path(&s->options, AUTHORITIES_FILE, path, e);
		if (r >= 0 && added.n > 0)
			r = tls_chain_write(path, &added, e);
		else if (r >= 0 && unlink(path) < 0 && errno != ENOENT)
			r = error_set(e, errno, "cannot remove %s: %s", path, strerror(errno));
	}
	if (r < 0)
		(void)tls_set_unref(set);
	else
		store_use(s, m, set);
	return r;
}

static int add_authority(struct tls_store *s, const struct tls_chain *c, struct material *m,
			 struct error *e)
{
	int r;

	if (c->n != 1)
		return error_set(e, EINVAL, "the text has %u certificates instead of one", c->n);
	if (has_expired(c->items[0]))
		return error_set(e, EINVAL, "the certificate has expired");
	if (has_authority(&s->material, c->items[0]))
		return error_set(e, EEXIST, "the certificate authority is already accepted");
	r = material_copy(&s->material, m, e);
	if (r >= 0)
		r = add_authorities(m, c, false, "the text", e);
	return r < 0 ? r : use_authorities(s, m, e);
}

int tls_store_add_authority(struct tls_store *s, const char *pem, size_t len,
			    char ret_id[TLS_ID_MAX], struct error *e)
{
	struct tls_chain c = {.n = 0};
	struct material m = {0};
	int r = tls_chain_parse("the text", pem, len, &c, e);

	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&s->change);
	r = add_authority(s, &c, &m, e);
	if (r >= 0 && ret_id)
		memcpy(ret_id, s->set->authorities[s->set->n_authorities - 1].id, TLS_ID_MAX);
	(void)pthread_mutex_unlock(&s->change);
	material_done(&m);
	tls_chain_done(&c);
	return r;
}

static int remove_authority(struct tls_store *s, const char *id, struct material *m,
			    struct error *e)
{
	struct tls_chain *all = &m->authorities;
	unsigned int i = 0;
	int r;

	while (i < s->set->n_authorities && !str_equal(s->set->authorities[i].id, id))
		i++;
	if (i == s->set->n_authorities)
		return error_set(e, ENOENT, "there is no certificate authority %s", id);
	if (s->set->authorities[i].from_file)
		return error_set(e, EPERM,
				 "the certificate authority is from a file of the configuration");
	r = material_copy(&s->material, m, e);
	if (r < 0)
		return r;
	gnutls_x509_crt_deinit(all->items[i]);
	all->n--;
	memmove(&all->items[i], &all->items[i + 1], (all->n - i) * sizeof(all->items[0]));
	memmove(&m->from_file[i], &m->from_file[i + 1], (all->n - i) * sizeof(m->from_file[0]));
	return use_authorities(s, m, e);
}

int tls_store_remove_authority(struct tls_store *s, const char *id, struct error *e)
{
	struct material m = {0};
	int r;

	(void)pthread_mutex_lock(&s->change);
	r = remove_authority(s, id, &m, e);
	(void)pthread_mutex_unlock(&s->change);
	material_done(&m);
	return r;
}
