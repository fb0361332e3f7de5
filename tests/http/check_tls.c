// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The store of certificates, keys and client authorities, and what a listener allows.
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <ftw.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gnutls/abstract.h>
#include <gnutls/x509.h>

#include "common/array.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "http/access.h"
#include "http/redirect.h"
#include "http/server.h"
#include "http/tls.h"
#include "http/tls_files.h"
#include "tests/http/passing_time.h"
#include "tests/lib/suites.h"

enum { PATH_SIZE = 128, DAY = 24 * 60 * 60 };

static char state[] = "check_tls.XXXXXX";
static char directory[sizeof(state)];
static struct http_server *server;
static struct tls_store *store;
static struct error e;

static const char *in_state(const char *name)
{
	static char path[4][PATH_SIZE];
	static unsigned int i;

	i = (i + 1) % ARRAY_SIZE(path);
	(void)snprintf(path[i], PATH_SIZE, "%s/%s", directory, name);
	return path[i];
}

static void setup(void)
{
	memcpy(directory, state, sizeof(state));
	ck_assert_ptr_nonnull(mkdtemp(directory));
	e = (struct error){0};
	store = NULL;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static void teardown(void)
{
	server = http_server_free(server);
	store = tls_store_free(store);
	(void)nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *const addresses[] = {"192.0.2.7", "0.0.0.0", "127.0.0.1"};

static struct tls_options with_state(void)
{
	return (struct tls_options){
		.state = directory, .addresses = addresses, .n_addresses = ARRAY_SIZE(addresses)};
}

static void open_store(void)
{
	const struct tls_options o = with_state();

	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
}

/* ---- certificates made by the test ------------------------------------------------------------
 */

struct made {
	gnutls_x509_privkey_t key;
	gnutls_x509_crt_t crt;
	char *pem, *key_pem;
};

struct recipe {
	const char *name;
	const struct made *issuer; /* NULL: itself */
	long from, to;		   /* seconds from now */
	bool ca;
	const char *purpose;
	gnutls_x509_privkey_t key; /* NULL: a new one; of another owner */
	bool sha1;		   /* instead of SHA-256 */
};

static char *pem_text(gnutls_datum_t *d)
{
	char *text = strndup((const char *)d->data, d->size);

	gnutls_free(d->data);
	return text;
}

static struct made make(const struct recipe *r)
{
	struct made m = {0};
	gnutls_privkey_t signer;
	gnutls_datum_t d;
	static unsigned char serial;

	serial++;
	ck_assert_int_eq(gnutls_x509_privkey_init(&m.key), 0);
	if (r->key)
		ck_assert_int_eq(gnutls_x509_privkey_cpy(m.key, r->key), 0);
	else
		ck_assert_int_eq(gnutls_x509_privkey_generate(
					 m.key, GNUTLS_PK_ECDSA,
					 GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
				 0);
	ck_assert_int_eq(gnutls_x509_crt_init(&m.crt), 0);
	(void)gnutls_x509_crt_set_version(m.crt, 3);
	(void)gnutls_x509_crt_set_serial(m.crt, &serial, 1);
	(void)gnutls_x509_crt_set_dn_by_oid(m.crt, GNUTLS_OID_X520_COMMON_NAME, 0, r->name,
					    (unsigned int)strlen(r->name));
	(void)gnutls_x509_crt_set_activation_time(m.crt, time(NULL) + r->from);
	(void)gnutls_x509_crt_set_expiration_time(m.crt, time(NULL) + r->to);
	(void)gnutls_x509_crt_set_basic_constraints(m.crt, r->ca, -1);
	if (r->purpose)
		(void)gnutls_x509_crt_set_key_purpose_oid(m.crt, r->purpose, 0);
	ck_assert_int_eq(gnutls_x509_crt_set_key(m.crt, m.key), 0);
	ck_assert_int_eq(gnutls_privkey_init(&signer), 0);
	ck_assert_int_eq(gnutls_privkey_import_x509(signer, r->issuer ? r->issuer->key : m.key, 0),
			 0);
	ck_assert_int_eq(
		gnutls_x509_crt_privkey_sign(m.crt, r->issuer ? r->issuer->crt : m.crt, signer,
					     r->sha1 ? GNUTLS_DIG_SHA1 : GNUTLS_DIG_SHA256, 0),
		0);
	gnutls_privkey_deinit(signer);
	ck_assert_int_eq(gnutls_x509_crt_export2(m.crt, GNUTLS_X509_FMT_PEM, &d), 0);
	m.pem = pem_text(&d);
	ck_assert_int_eq(gnutls_x509_privkey_export2(m.key, GNUTLS_X509_FMT_PEM, &d), 0);
	m.key_pem = pem_text(&d);
	return m;
}

static struct made make_server(const char *name)
{
	return make(&(struct recipe){
		.name = name, .from = -DAY, .to = DAY, .purpose = GNUTLS_KP_TLS_WWW_SERVER});
}

static struct made make_ca(const char *name)
{
	return make(&(struct recipe){.name = name, .from = -DAY, .to = DAY, .ca = true});
}

static void made_done(struct made *m)
{
	gnutls_x509_privkey_deinit(m->key);
	gnutls_x509_crt_deinit(m->crt);
	free(m->pem);
	free(m->key_pem);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void subject_is(const char *wanted)
{
	struct tls_set *set = tls_store_get(store);

	ck_assert_str_eq(set->server->subject.text, wanted);
	(void)tls_set_unref(set);
}

static int replace_with(const char *a, const char *b)
{
	char *text = NULL;
	int r;

	ck_assert_int_gt(asprintf(&text, "%s%s", a, b), 0);
	r = tls_store_replace(store, text, strlen(text), &e);
	free(text);
	return r;
}

/* ---- the certificate --------------------------------------------------------------------------
 */

static bool has_name(const struct tls_certificate *c, const char *name)
{
	for (size_t i = 0; i < c->n_alternative_names; i++)
		if (strcmp(c->alternative_names[i], name) == 0)
			return true;
	return false;
}

START_TEST(a_certificate_is_made_once_and_its_key_is_for_the_owner_alone)
{
	char fingerprint[TLS_FINGERPRINT_MAX];
	struct tls_set *set;
	struct stat st;

	open_store();
	set = tls_store_get(store);
	ck_assert(has_name(set->server, "localhost"));
	ck_assert(has_name(set->server, "127.0.0.1"));
	ck_assert(has_name(set->server, "::1"));
	ck_assert(has_name(set->server, "192.0.2.7"));
	ck_assert(!has_name(set->server, "0.0.0.0"));
	ck_assert_uint_eq(set->server->usage,
			  TLS_USAGE_DIGITAL_SIGNATURE | TLS_USAGE_SERVER_AUTHENTICATION);
	ck_assert_int_gt(set->server->not_after - time(NULL), (TLS_VALID_DAYS - 1) * (time_t)DAY);
	ck_assert_str_eq(set->server->key_algorithm, "EC/ECDSA");
	ck_assert_uint_eq(strlen(set->server->fingerprint), 95);
	ck_assert_uint_eq(strlen(set->server->serial), 47);
	ck_assert(set->replaceable);
	strcpy(fingerprint, set->server->fingerprint);
	(void)tls_set_unref(set);
	ck_assert_int_eq(stat(in_state("tls-key.pem"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);

	store = tls_store_free(store);
	open_store();
	set = tls_store_get(store);
	ck_assert_str_eq(set->server->fingerprint, fingerprint);
	(void)tls_set_unref(set);
}
END_TEST

START_TEST(without_a_state_directory_it_is_in_memory_and_stays_over_a_reload)
{
	const struct tls_options o = {0};
	char fingerprint[TLS_FINGERPRINT_MAX];
	struct made ca = make_ca("ca");
	struct tls_set *set;

	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
	set = tls_store_get(store);
	strcpy(fingerprint, set->server->fingerprint);
	(void)tls_set_unref(set);
	ck_assert_int_eq(tls_store_add_authority(store, ca.pem, strlen(ca.pem), NULL, &e), 0);
	ck_assert_msg(tls_store_reload(store, &o, &e) == 0, "%s", e.text);
	set = tls_store_get(store);
	ck_assert_str_eq(set->server->fingerprint, fingerprint);
	ck_assert_uint_eq(set->n_authorities, 1);
	(void)tls_set_unref(set);
	made_done(&ca);
}
END_TEST

START_TEST(given_files_are_used_and_a_pair_that_does_not_match_is_refused_by_name)
{
	struct made one = make_server("one"), two = make_server("two");
	struct tls_options o = with_state();

	o.certificate_file = in_state("one.pem");
	o.key_file = in_state("one.key");
	write_text(o.certificate_file, one.pem);
	write_text(o.key_file, two.key_pem);
	ck_assert_int_eq(tls_store_new(&o, &store, &e), -EKEYREJECTED);
	ck_assert_ptr_nonnull(strstr(e.text, o.certificate_file));
	ck_assert_ptr_nonnull(strstr(e.text, o.key_file));
	write_text(o.key_file, "no key\n");
	ck_assert_int_eq(tls_store_new(&o, &store, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, o.key_file));
	ck_assert_int_eq(unlink(o.key_file), 0);
	ck_assert_int_eq(tls_store_new(&o, &store, &e), -ENOENT);
	ck_assert_ptr_nonnull(strstr(e.text, o.key_file));
	write_text(o.key_file, one.key_pem);
	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
	subject_is("CN=one");

	/* The administrator's files are not replaced by requests. */
	ck_assert_int_eq(replace_with(two.pem, two.key_pem), -EPERM);
	ck_assert_ptr_nonnull(strstr(e.text, o.certificate_file));
	made_done(&one);
	made_done(&two);
}
END_TEST

START_TEST(a_reload_takes_new_files_and_keeps_the_old_ones_when_they_are_wrong)
{
	struct made one = make_server("one"), two = make_server("two");
	struct tls_options o = {.certificate_file = in_state("c"), .key_file = in_state("k")};
	struct tls_set *before;

	write_text(o.certificate_file, one.pem);
	write_text(o.key_file, one.key_pem);
	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
	before = tls_store_get(store);
	write_text(o.certificate_file, two.pem);
	ck_assert_int_eq(tls_store_reload(store, &o, &e), -EKEYREJECTED);
	subject_is("CN=one");
	write_text(o.key_file, two.key_pem);
	ck_assert_msg(tls_store_reload(store, &o, &e) == 0, "%s", e.text);
	subject_is("CN=two");
	/* The certificate of a connection stays as it is. */
	ck_assert_str_eq(before->server->subject.text, "CN=one");
	(void)tls_set_unref(before);
	made_done(&one);
	made_done(&two);
}
END_TEST

START_TEST(an_expired_file_is_served_but_is_no_replacement)
{
	struct made old = make(&(struct recipe){
		.name = "old", .from = -2 * DAY, .to = -DAY, .purpose = GNUTLS_KP_TLS_WWW_SERVER});
	struct tls_options o = {.certificate_file = in_state("c"), .key_file = in_state("k")};

	open_store();
	ck_assert_int_eq(replace_with(old.pem, old.key_pem), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "expired"));
	store = tls_store_free(store);
	write_text(o.certificate_file, old.pem);
	write_text(o.key_file, old.key_pem);
	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
	subject_is("CN=old");
	made_done(&old);
}
END_TEST

START_TEST(damaged_and_oversized_files_are_refused_by_name)
{
	struct tls_options o = with_state();
	char *huge = malloc(TLS_PEM_MAX + 2);

	write_text(in_state("tls-certificate.pem"), "-----BEGIN CERTIFICATE-----\nx\n");
	ck_assert_int_eq(tls_store_new(&o, &store, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "tls-certificate.pem"));
	ck_assert_ptr_nonnull(huge);
	memset(huge, 'a', TLS_PEM_MAX + 1);
	huge[TLS_PEM_MAX + 1] = '\0';
	write_text(in_state("tls-certificate.pem"), huge);
	ck_assert_int_eq(tls_store_new(&o, &store, &e), -EFBIG);
	ck_assert_ptr_nonnull(strstr(e.text, "tls-certificate.pem"));
	free(huge);
}
END_TEST

START_TEST(a_replacement_with_its_key_is_used_and_kept)
{
	struct made new = make_server("new"), other = make_server("other");

	open_store();
	ck_assert_int_eq(replace_with(new.pem, other.key_pem), -EKEYREJECTED);
	ck_assert_int_eq(replace_with(new.pem, ""), -ENOKEY);
	ck_assert_int_eq(replace_with("nothing", ""), -EINVAL);
	ck_assert_msg(replace_with(new.pem, new.key_pem) == 0, "%s", e.text);
	subject_is("CN=new");
	store = tls_store_free(store);
	open_store();
	subject_is("CN=new");
	made_done(&new);
	made_done(&other);
}
END_TEST

START_TEST(a_replacement_must_be_for_tls_servers)
{
	struct made client = make(&(struct recipe){
		.name = "x", .from = -DAY, .to = DAY, .purpose = GNUTLS_KP_TLS_WWW_CLIENT});

	open_store();
	ck_assert_int_eq(replace_with(client.pem, client.key_pem), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "TLS servers"));
	made_done(&client);
}
END_TEST

START_TEST(a_replacement_with_a_weak_key_is_refused)
{
	struct recipe r = {
		.name = "x", .from = -DAY, .to = DAY, .purpose = GNUTLS_KP_TLS_WWW_SERVER};
	struct made weak;

	ck_assert_int_eq(gnutls_x509_privkey_init(&r.key), 0);
	ck_assert_int_eq(gnutls_x509_privkey_generate(r.key, GNUTLS_PK_RSA, 1024, 0), 0);
	weak = make(&r);
	open_store();
	ck_assert_int_eq(replace_with(weak.pem, weak.key_pem), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "too weak (1024 bits)"));
	made_done(&weak);
	gnutls_x509_privkey_deinit(r.key);
}
END_TEST

/* The process ended between the steps of a replacement: one of the keys is the right one. */
START_TEST(an_interrupted_replacement_leaves_a_certificate_with_its_key)
{
	struct made new = make_server("new");

	open_store();
	store = tls_store_free(store);
	write_text(in_state("tls-key-next.pem"), new.key_pem);
	open_store(); /* before the certificate was renamed */
	store = tls_store_free(store);
	write_text(in_state("tls-certificate.pem"), new.pem);
	open_store(); /* before the key was renamed */
	subject_is("CN=new");
	store = tls_store_free(store);
	ck_assert_int_eq(unlink(in_state("tls-key-next.pem")), 0);
	{
		const struct tls_options o = with_state();

		ck_assert_int_eq(tls_store_new(&o, &store, &e), -EKEYREJECTED);
		ck_assert_ptr_nonnull(strstr(e.text, "tls-certificate.pem"));
	}
	made_done(&new);
}
END_TEST

/* ---- requests ---------------------------------------------------------------------------------
 */

static struct made answer_request(const char *pem)
{
	const gnutls_datum_t text = {(unsigned char *)pem, (unsigned int)strlen(pem)};
	struct made ca = make_ca("issuer"), m = {0};
	gnutls_privkey_t signer;
	gnutls_x509_crq_t crq;
	gnutls_datum_t d;

	ck_assert_int_eq(gnutls_x509_crq_init(&crq), 0);
	ck_assert_int_eq(gnutls_x509_crq_import(crq, &text, GNUTLS_X509_FMT_PEM), 0);
	ck_assert_int_eq(gnutls_x509_crq_verify(crq, 0), 0);
	ck_assert_int_eq(gnutls_x509_crt_init(&m.crt), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_crq(m.crt, crq), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_crq_extensions(m.crt, crq), 0);
	(void)gnutls_x509_crt_set_version(m.crt, 3);
	(void)gnutls_x509_crt_set_serial(m.crt, "\1", 1);
	(void)gnutls_x509_crt_set_activation_time(m.crt, time(NULL) - DAY);
	(void)gnutls_x509_crt_set_expiration_time(m.crt, time(NULL) + DAY);
	ck_assert_int_eq(gnutls_privkey_init(&signer), 0);
	ck_assert_int_eq(gnutls_privkey_import_x509(signer, ca.key, 0), 0);
	ck_assert_int_eq(gnutls_x509_crt_privkey_sign(m.crt, ca.crt, signer, GNUTLS_DIG_SHA256, 0),
			 0);
	ck_assert_int_eq(gnutls_x509_crt_export2(m.crt, GNUTLS_X509_FMT_PEM, &d), 0);
	m.pem = pem_text(&d);
	gnutls_privkey_deinit(signer);
	gnutls_x509_crq_deinit(crq);
	made_done(&ca);
	return m;
}

START_TEST(a_requested_certificate_is_used_with_the_key_of_its_request)
{
	static const char *const names[] = {"host.example", "192.0.2.1", "2001:db8::1"};
	const struct tls_request r = {
		.common_name = "host.example",
		.organization = "Example",
		.country = "DE",
		.city = "Bonn",
		.alternative_names = names,
		.n_alternative_names = ARRAY_SIZE(names),
	};
	struct made answer;
	struct tls_set *set;
	struct stat st;
	char *pem;

	open_store();
	ck_assert_msg(tls_store_make_request(store, &r, &pem, &e) == 0, "%s", e.text);
	ck_assert_int_eq(stat(in_state("tls-key-request.pem"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	answer = answer_request(pem);
	free(pem);
	/* The answer may come after a restart. */
	store = tls_store_free(store);
	open_store();
	ck_assert_msg(replace_with(answer.pem, "") == 0, "%s", e.text);
	set = tls_store_get(store);
	ck_assert_str_eq(set->server->subject.common_name, "host.example");
	ck_assert_str_eq(set->server->subject.organization, "Example");
	ck_assert_str_eq(set->server->subject.city, "Bonn");
	ck_assert_str_eq(set->server->issuer.common_name, "issuer");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert(has_name(set->server, names[i]));
	(void)tls_set_unref(set);
	ck_assert_int_lt(stat(in_state("tls-key-request.pem"), &st), 0);
	made_done(&answer);
}
END_TEST

START_TEST(a_request_with_wrong_values_is_refused_by_their_names)
{
	static const char *const bad_names[] = {"a b"};
	static const struct {
		struct tls_request request;
		const char *word;
	} cases[] = {
		{{.common_name = NULL}, "CommonName"},
		{{.common_name = "a\nb"}, "CommonName"},
		{{.common_name = "a", .country = "DEU"}, "Country"},
		{{.common_name = "a", .city = ""}, "City"},
		{{.common_name = "a", .bits = 1024, .algorithm = TLS_KEY_RSA}, "1024"},
		{{.common_name = "a", .bits = 2048}, "2048"},
		{{.common_name = "a", .alternative_names = bad_names, .n_alternative_names = 1},
		 "AlternativeNames"},
	};
	char *pem = NULL;

	open_store();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(tls_store_make_request(store, &cases[i].request, &pem, &e),
				 -EINVAL);
		ck_assert_msg(strstr(e.text, cases[i].word) != NULL, "%s", e.text);
	}
}
END_TEST

START_TEST(a_request_may_have_an_rsa_key)
{
	const struct tls_request r = {.common_name = "a", .algorithm = TLS_KEY_RSA, .bits = 2048};
	struct made answer;
	struct tls_set *set;
	char *pem;

	open_store();
	ck_assert_int_eq(tls_store_make_request(store, &r, &pem, &e), 0);
	answer = answer_request(pem);
	free(pem);
	ck_assert_msg(replace_with(answer.pem, "") == 0, "%s", e.text);
	set = tls_store_get(store);
	ck_assert_str_eq(set->server->key_algorithm, "RSA");
	ck_assert_uint_eq(set->server->key_bits, 2048);
	(void)tls_set_unref(set);
	made_done(&answer);
}
END_TEST

/* ---- client authorities -----------------------------------------------------------------------
 */

START_TEST(authorities_are_added_removed_and_kept)
{
	struct made one = make_ca("one"), two = make_ca("two"), leaf = make_server("leaf");
	struct tls_options o = with_state();
	char id[TLS_ID_MAX], *both = NULL;
	const char *files[1];
	struct tls_set *set;

	files[0] = in_state("given.pem");
	write_text(files[0], two.pem);
	o.authority_files = files;
	o.n_authority_files = 1;
	ck_assert_msg(tls_store_new(&o, &store, &e) == 0, "%s", e.text);
	ck_assert_int_eq(tls_store_add_authority(store, leaf.pem, strlen(leaf.pem), id, &e),
			 -EINVAL);
	ck_assert_int_eq(tls_store_add_authority(store, one.pem, strlen(one.pem), id, &e), 0);
	ck_assert_int_eq(tls_store_add_authority(store, one.pem, strlen(one.pem), id, &e), -EEXIST);
	ck_assert_int_eq(tls_store_add_authority(store, two.pem, strlen(two.pem), NULL, &e),
			 -EEXIST);
	ck_assert_int_gt(asprintf(&both, "%s%s", one.pem, two.pem), 0);
	ck_assert_int_eq(tls_store_add_authority(store, both, strlen(both), NULL, &e), -EINVAL);
	free(both);
	store = tls_store_free(store);
	ck_assert_int_eq(tls_store_new(&o, &store, &e), 0);
	set = tls_store_get(store);
	ck_assert_uint_eq(set->n_authorities, 2);
	ck_assert(set->authorities[0].from_file);
	ck_assert_int_eq(tls_store_remove_authority(store, set->authorities[0].id, &e), -EPERM);
	ck_assert_str_eq(set->authorities[1].id, id);
	(void)tls_set_unref(set);
	ck_assert_int_eq(tls_store_remove_authority(store, id, &e), 0);
	ck_assert_int_eq(tls_store_remove_authority(store, id, &e), -ENOENT);
	store = tls_store_free(store);
	ck_assert_int_eq(tls_store_new(&o, &store, &e), 0);
	set = tls_store_get(store);
	ck_assert_uint_eq(set->n_authorities, 1);
	(void)tls_set_unref(set);
	made_done(&one);
	made_done(&two);
	made_done(&leaf);
}
END_TEST

START_TEST(there_are_no_more_authorities_than_the_limit)
{
	open_store();
	for (int i = 0; i <= TLS_AUTHORITIES_MAX; i++) {
		struct made ca = make_ca("ca");

		ck_assert_int_eq(tls_store_add_authority(store, ca.pem, strlen(ca.pem), NULL, &e),
				 i < TLS_AUTHORITIES_MAX ? 0 : -ENOSPC);
		made_done(&ca);
	}
}
END_TEST

/* ---- a server ---------------------------------------------------------------------------------
 */

static struct sockaddr_in port = {.sin_family = AF_INET};
static unsigned char seen_certificate[8192];
static atomic_size_t seen_len;
static _Atomic enum http_transport seen_transport;

static enum http_body_choice wants_body(void *userdata, const struct http_request *req,
					struct http_call *call)
{
	(void)call;
	(void)userdata, (void)req;
	return HTTP_BODY_DISCARD;
}

static enum http_outcome note_client(void *userdata, const struct http_request *req,
				     struct http_reply *ret, struct http_call *call)
{
	struct json_writer w = {0};

	(void)userdata, (void)call;
	seen_transport = req->client.transport;
	ck_assert_uint_le(req->client.certificate_len, sizeof(seen_certificate));
	if (req->client.certificate)
		memcpy(seen_certificate, req->client.certificate, req->client.certificate_len);
	seen_len = req->client.certificate_len;
	put_raw(&w, "hello");
	ret->status = 200;
	ret->body = representation_new(&w, CONTENT_TYPE_JSON);
	return HTTP_REPLIED;
}

static const struct http_handler handler = {wants_body, note_client};

static void serve(const struct http_limits *limits)
{
	const struct http_server_options o = {.handler = &handler, .limits = limits, .tls = store};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	socklen_t len = sizeof(port);

	port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	port.sin_port = 0;
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&port, sizeof(port)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&port, &len), 0);
	ck_assert_msg(http_server_new(&o, fd, &server, &e) == 0, "%s", e.text);
}

struct tls_client {
	int fd;
	gnutls_session_t session;
	gnutls_certificate_credentials_t credentials;
};

static int tcp_connect(void)
{
	const struct timeval limit = {.tv_sec = 20};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&port, sizeof(port)), 0);
	return fd;
}

/*
 * Without verification of the server. A server that refuses may have closed the connection before
 * the client writes to it: that is an error of gnutls, no signal.
 *
 * Return: the result of the handshake.
 */
static int client_begin(struct tls_client *c, const struct made *own, const char *priority)
{
	const unsigned int client_flags =
		GNUTLS_CLIENT | GNUTLS_FORCE_CLIENT_CERT | GNUTLS_NO_SIGNAL;
	int r;

	c->fd = tcp_connect();
	ck_assert_int_eq(gnutls_certificate_allocate_credentials(&c->credentials), 0);
	if (own)
		ck_assert_int_eq(gnutls_certificate_set_x509_key(c->credentials,
								 (gnutls_x509_crt_t *)&own->crt, 1,
								 own->key),
				 0);
	ck_assert_int_eq(gnutls_init(&c->session, client_flags), 0);
	ck_assert_int_eq(gnutls_priority_set_direct(c->session, priority, NULL), 0);
	ck_assert_int_eq(gnutls_credentials_set(c->session, GNUTLS_CRD_CERTIFICATE, c->credentials),
			 0);
	gnutls_transport_set_int(c->session, c->fd);
	do
		r = gnutls_handshake(c->session);
	while (r < 0 && !gnutls_error_is_fatal(r));
	return r;
}

/* Return: the bytes of the reply; an error or 0 when the connection has ended. */
static ssize_t client_ask(struct tls_client *c)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	char reply[4096] = "";
	size_t len = 0;
	ssize_t n;

	n = gnutls_record_send(c->session, request, sizeof(request) - 1);
	while (n > 0 && !strstr(reply, "hello")) {
		n = gnutls_record_recv(c->session, reply + len, sizeof(reply) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
		if (n < 0 && !gnutls_error_is_fatal((int)n))
			n = 1;
	}
	ck_assert(n <= 0 || memcmp(reply, "HTTP/1.1 200", 12) == 0);
	return n;
}

static void client_end(struct tls_client *c)
{
	gnutls_deinit(c->session);
	gnutls_certificate_free_credentials(c->credentials);
	(void)close(c->fd);
}

static bool client_sees(struct tls_client *c, const char *pem)
{
	unsigned int n;
	const gnutls_datum_t *list = gnutls_certificate_get_peers(c->session, &n);
	gnutls_datum_t text;
	char *got;
	bool same;

	ck_assert_int_eq(gnutls_pem_base64_encode2("CERTIFICATE", list, &text), 0);
	got = pem_text(&text);
	same = strcmp(got, pem) == 0;
	free(got);
	return same;
}

START_TEST(a_connection_goes_on_while_the_next_one_gets_the_new_certificate)
{
	struct made new = make_server("new");
	struct tls_client before, after;

	open_store();
	serve(&http_limits_default);
	ck_assert_int_eq(client_begin(&before, NULL, "NORMAL"), 0);
	ck_assert_int_gt(client_ask(&before), 0);
	ck_assert_int_eq(seen_transport, HTTP_OVER_TLS);
	ck_assert(!client_sees(&before, new.pem));
	ck_assert_msg(replace_with(new.pem, new.key_pem) == 0, "%s", e.text);
	ck_assert_int_gt(client_ask(&before), 0);
	ck_assert_int_eq(client_begin(&after, NULL, "NORMAL"), 0);
	ck_assert(client_sees(&after, new.pem));
	ck_assert_int_gt(client_ask(&after), 0);
	ck_assert_int_gt(client_ask(&before), 0);
	client_end(&before);
	client_end(&after);
	made_done(&new);
}
END_TEST

START_TEST(only_tls_1_2_and_1_3_are_spoken)
{
	static const struct {
		const char *priority;
		bool accepted;
	} cases[] = {
		{"NORMAL:-VERS-ALL:+VERS-TLS1.3", true},
		{"NORMAL:-VERS-ALL:+VERS-TLS1.2", true},
		{"LEGACY:-VERS-ALL:+VERS-TLS1.1:+SIGN-ALL", false},
		{"LEGACY:-VERS-ALL:+VERS-TLS1.0:+SIGN-ALL", false},
		{"NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+RSA", false},
		{"NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CBC", false},
	};

	open_store();
	serve(&http_limits_default);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tls_client c;
		int r = client_begin(&c, NULL, cases[i].priority);

		ck_assert_msg((r >= 0) == cases[i].accepted, "%s: %d", cases[i].priority, r);
		client_end(&c);
	}
}
END_TEST

/* With TLS 1.3 the client learns only with its next read that its certificate was not accepted. */
static bool is_served(const struct made *own, const char *priority)
{
	struct tls_client c;
	bool served = client_begin(&c, own, priority) >= 0 && client_ask(&c) > 0;

	client_end(&c);
	return served;
}

static struct made make_client(const struct made *ca, long to, const char *purpose)
{
	return make(&(struct recipe){
		.name = "client", .issuer = ca, .from = -2 * DAY, .to = to, .purpose = purpose});
}

START_TEST(a_certificate_of_a_client_is_passed_on_when_it_is_valid)
{
	static const char *const versions[] = {"NORMAL:-VERS-ALL:+VERS-TLS1.3",
					       "NORMAL:-VERS-ALL:+VERS-TLS1.2"};
	struct made ca = make_ca("ca"), foreign_ca = make_ca("foreign");
	struct made good = make_client(&ca, DAY, GNUTLS_KP_TLS_WWW_CLIENT),
		    old = make_client(&ca, -DAY, GNUTLS_KP_TLS_WWW_CLIENT),
		    foreign = make_client(&foreign_ca, DAY, GNUTLS_KP_TLS_WWW_CLIENT),
		    other_use = make_client(&ca, DAY, GNUTLS_KP_TLS_WWW_SERVER);
	gnutls_datum_t der;

	open_store();
	serve(&http_limits_default);
	/* Without authorities it is not asked for. */
	ck_assert(is_served(&good, versions[0]));
	ck_assert_uint_eq(seen_len, 0);
	ck_assert_int_eq(tls_store_add_authority(store, ca.pem, strlen(ca.pem), NULL, &e), 0);
	ck_assert_int_eq(gnutls_x509_crt_export2(good.crt, GNUTLS_X509_FMT_DER, &der), 0);
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		ck_assert(is_served(NULL, versions[i]));
		ck_assert_uint_eq(seen_len, 0);
		ck_assert(is_served(&good, versions[i]));
		ck_assert_uint_eq(seen_len, der.size);
		ck_assert_int_eq(memcmp(seen_certificate, der.data, der.size), 0);
		ck_assert(!is_served(&old, versions[i]));
		ck_assert(!is_served(&foreign, versions[i]));
		ck_assert(!is_served(&other_use, versions[i]));
	}
	gnutls_free(der.data);
	made_done(&ca);
	made_done(&foreign_ca);
	made_done(&good);
	made_done(&old);
	made_done(&foreign);
	made_done(&other_use);
}
END_TEST

/* One policy for the certificates of the service, of authorities and of clients. */
START_TEST(weak_keys_and_signatures_of_clients_and_authorities_are_refused)
{
	struct recipe weak = {.name = "weak", .from = -DAY, .to = DAY, .ca = true};
	const struct recipe old = {
		.name = "old", .from = -DAY, .to = DAY, .ca = true, .sha1 = true};
	struct made ca = make_ca("ca"), weak_ca, old_ca = make(&old), good, weak_client, old_client;

	good = make_client(&ca, DAY, GNUTLS_KP_TLS_WWW_CLIENT);
	ck_assert_int_eq(gnutls_x509_privkey_init(&weak.key), 0);
	ck_assert_int_eq(gnutls_x509_privkey_generate(weak.key, GNUTLS_PK_RSA, 1024, 0), 0);
	weak_ca = make(&weak);
	weak_client = make(&(struct recipe){.name = "client",
					    .issuer = &ca,
					    .from = -DAY,
					    .to = DAY,
					    .key = weak.key,
					    .purpose = GNUTLS_KP_TLS_WWW_CLIENT});
	old_client = make(&(struct recipe){.name = "client",
					   .issuer = &ca,
					   .from = -DAY,
					   .to = DAY,
					   .sha1 = true,
					   .purpose = GNUTLS_KP_TLS_WWW_CLIENT});
	open_store();
	ck_assert_int_eq(tls_store_add_authority(store, weak_ca.pem, strlen(weak_ca.pem), NULL, &e),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "too weak (1024 bits)"));
	ck_assert_int_eq(tls_store_add_authority(store, old_ca.pem, strlen(old_ca.pem), NULL, &e),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "signature that is too weak"));
	ck_assert_int_eq(tls_store_add_authority(store, ca.pem, strlen(ca.pem), NULL, &e), 0);
	serve(&http_limits_default);
	ck_assert(is_served(&good, "NORMAL"));
	ck_assert(!is_served(&weak_client, "NORMAL"));
	ck_assert(!is_served(&old_client, "NORMAL"));
	gnutls_x509_privkey_deinit(weak.key);
	made_done(&ca);
	made_done(&weak_ca);
	made_done(&old_ca);
	made_done(&good);
	made_done(&weak_client);
	made_done(&old_client);
}
END_TEST

static int plain_status(void)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	char reply[64] = "";
	int fd = tcp_connect(), status = 0;

	ck_assert_int_gt(send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL), 0);
	ck_assert_int_gt(recv(fd, reply, sizeof(reply) - 1, MSG_WAITALL), 0);
	ck_assert_int_eq(sscanf(reply, "HTTP/1.1 %d", &status), 1);
	(void)close(fd);
	return status;
}

START_TEST(the_rules_of_a_listener_change_while_it_serves)
{
	struct http_access_rules rules = {.restricted = true, .tls_port = 8443};

	serve(&http_limits_default); /* without a store: plain HTTP */
	ck_assert_int_eq(plain_status(), 200);
	ck_assert_int_eq(seen_transport, HTTP_OVER_TCP);
	http_server_set_access(server, &rules);
	ck_assert_int_eq(plain_status(), 308);
	rules.tls_port = 0;
	http_server_set_access(server, &rules);
	ck_assert_int_eq(plain_status(), 403);
	ck_assert_int_eq(cidr_parse("127.0.0.0/8", &rules.named[0], &e), 0);
	rules.n_named = 1;
	http_server_set_access(server, &rules);
	ck_assert_int_eq(plain_status(), 200);
}
END_TEST

START_TEST(a_removed_authority_also_counts_on_connections_that_are_open)
{
	struct made ca = make_ca("ca"), other = make_ca("other"),
		    good = make_client(&ca, DAY, GNUTLS_KP_TLS_WWW_CLIENT);
	char id[TLS_ID_MAX];
	struct tls_client c;

	open_store();
	serve(&http_limits_default);
	ck_assert_int_eq(tls_store_add_authority(store, ca.pem, strlen(ca.pem), id, &e), 0);
	ck_assert_int_eq(client_begin(&c, &good, "NORMAL"), 0);
	ck_assert_int_gt(client_ask(&c), 0);
	ck_assert_uint_gt(seen_len, 0);
	ck_assert_int_eq(tls_store_add_authority(store, other.pem, strlen(other.pem), NULL, &e), 0);
	ck_assert_int_gt(client_ask(&c), 0);
	ck_assert_uint_gt(seen_len, 0);
	ck_assert_int_eq(tls_store_remove_authority(store, id, &e), 0);
	ck_assert_int_gt(client_ask(&c), 0);
	ck_assert_uint_eq(seen_len, 0);
	client_end(&c);
	made_done(&ca);
	made_done(&other);
	made_done(&good);
}
END_TEST

/* Whether the server ends a connection, with whatever it sends before. */
static bool is_closed(int fd)
{
	char bytes[256];
	ssize_t n;

	do
		n = recv(fd, bytes, sizeof(bytes), 0);
	while (n > 0);
	return n == 0 || errno == ECONNRESET;
}

START_TEST(a_handshake_has_the_deadline_of_a_head)
{
	static const char record[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
	int idle, slow, n = 0;

	open_store();
	serve(&http_limits_default);
	idle = tcp_connect();
	slow = tcp_connect();
	ck_assert_int_eq(send(slow, record, sizeof(record) - 1, MSG_NOSIGNAL), sizeof(record) - 1);
	/* A byte at a time would go on for hours. No other handshake takes time. */
	while (n++ < 1800 && send(slow, "x", 1, MSG_NOSIGNAL) == 1) {
		(void)usleep(10 * 1000);
		pass_ms(http_limits_default.head_ms / 20);
		http_server_sweep(server);
		ck_assert(n % 5 != 0 || is_served(NULL, "NORMAL"));
	}
	ck_assert_int_lt(n, 1800);
	ck_assert(is_closed(idle));
	ck_assert(is_closed(slow));
	(void)close(idle);
	(void)close(slow);
}
END_TEST

START_TEST(plain_text_at_a_tls_port_is_closed_at_once)
{
	static const char *const texts[] = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n\r\n\r\n",
					    "SSH-2.0-x\r\n"};

	open_store();
	serve(&http_limits_default);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		int fd = tcp_connect();

		ck_assert_int_gt(send(fd, texts[i], strlen(texts[i]), MSG_NOSIGNAL), 0);
		ck_assert_msg(is_closed(fd), "%s", texts[i]);
		(void)close(fd);
		ck_assert(is_served(NULL, "NORMAL"));
	}
}
END_TEST

START_TEST(a_client_cannot_renegotiate)
{
	struct tls_client c;
	int r;

	open_store();
	serve(&http_limits_default);
	ck_assert_int_eq(client_begin(&c, NULL, "NORMAL:-VERS-ALL:+VERS-TLS1.2"), 0);
	ck_assert_int_gt(client_ask(&c), 0);
	do
		r = gnutls_handshake(c.session);
	while (r < 0 && !gnutls_error_is_fatal(r));
	ck_assert_int_lt(r, 0);
	client_end(&c);
	ck_assert(is_served(NULL, "NORMAL"));
}
END_TEST

/* ---- what a listener allows -------------------------------------------------------------------
 */

static enum http_access access_of(const struct http_access_rules *rules, const char *address)
{
	struct sockaddr_storage ss = {.ss_family = strchr(address, ':') ? AF_INET6 : AF_INET};
	void *bytes = ss.ss_family == AF_INET ? (void *)&((struct sockaddr_in *)&ss)->sin_addr
					      : (void *)&((struct sockaddr_in6 *)&ss)->sin6_addr;

	ck_assert_int_eq(inet_pton(ss.ss_family, address, bytes), 1);
	return http_access_of(rules, (struct sockaddr *)&ss);
}

START_TEST(only_named_peers_read_at_a_restricted_listener)
{
	struct http_access_rules rules = {.restricted = true, .n_named = 3};

	ck_assert_int_eq(cidr_parse("10.0.0.9", &rules.named[0], &e), 0);
	ck_assert_int_eq(cidr_parse("192.168.4.0/22", &rules.named[1], &e), 0);
	ck_assert_int_eq(cidr_parse("2001:db8::/33", &rules.named[2], &e), 0);
	ck_assert_int_eq(access_of(&rules, "10.0.0.9"), HTTP_ACCESS_READ_ONLY);
	ck_assert_int_eq(access_of(&rules, "10.0.0.8"), HTTP_ACCESS_REDIRECT);
	ck_assert_int_eq(access_of(&rules, "192.168.7.255"), HTTP_ACCESS_READ_ONLY);
	ck_assert_int_eq(access_of(&rules, "192.168.8.0"), HTTP_ACCESS_REDIRECT);
	ck_assert_int_eq(access_of(&rules, "2001:db8:7fff::1"), HTTP_ACCESS_READ_ONLY);
	ck_assert_int_eq(access_of(&rules, "2001:db8:8000::1"), HTTP_ACCESS_REDIRECT);
	ck_assert_int_eq(access_of(&rules, "127.0.0.1"), HTTP_ACCESS_REDIRECT);
	ck_assert_int_eq(http_access_of(&rules, NULL), HTTP_ACCESS_REDIRECT);
	/* The core's address is no named peer's, also where it is among these. */
	ck_assert_int_eq(cidr_parse("192.168.7.7", &rules.core, &e), 0);
	ck_assert_int_eq(access_of(&rules, "192.168.7.7"), HTTP_ACCESS_READ_ONLY);
	rules.has_core = true;
	ck_assert_int_eq(access_of(&rules, "192.168.7.7"), HTTP_ACCESS_CORE);
	ck_assert_int_eq(access_of(&rules, "192.168.7.8"), HTTP_ACCESS_READ_ONLY);
	ck_assert_int_eq(access_of(&rules, "10.0.0.8"), HTTP_ACCESS_REDIRECT);
	rules.restricted = false;
	ck_assert_int_eq(access_of(&rules, "192.168.7.7"), HTTP_ACCESS_ALL);
	ck_assert_int_eq(access_of(&rules, "10.0.0.8"), HTTP_ACCESS_ALL);
	ck_assert_int_eq(http_access_of(NULL, NULL), HTTP_ACCESS_ALL);
}
END_TEST

START_TEST(peers_are_addresses_with_a_prefix_that_covers_them)
{
	static const char *const bad[] = {
		"",	  "host",    "10.0.0.1/33", "10.0.0.1/", "10.0.0.1/24", "10.0.0.0/-1",
		"10.0.0", "::1/129", "::1/x",	    "[::1]",	 "10.0.0.0/0x8"};
	struct cidr p;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(cidr_parse(bad[i], &p, &e) == -EINVAL, "%s", bad[i]);
	ck_assert_int_eq(cidr_parse("0.0.0.0/0", &p, &e), 0);
}
END_TEST

START_TEST(a_redirection_has_the_host_of_the_client_when_it_is_one)
{
	static const struct {
		const char *host, *uri, *location;
	} cases[] = {
		{"a.example", "/redfish?x=%20y", "https://a.example:8443/redfish?x=%20y"},
		{"a.example:80", "/", "https://a.example:8443/"},
		{"[2001:db8::1]:80", "/", "https://[2001:db8::1]:8443/"},
		{"192.0.2.7:", "/", "https://192.0.2.7:8443/"},
		{"a.example:80:90", "/", "https://[::1]:8443/"},
		{"a.example:65536", "/", "https://[::1]:8443/"},
		{"[fe80::1%25eth0]", "/", "https://[::1]:8443/"},
		{"[a.example]", "/", "https://[::1]:8443/"},
		{"a@b", "/", "https://[::1]:8443/"},
		{"a/b", "/", "https://[::1]:8443/"},
		{"", "/", "https://[::1]:8443/"},
		{NULL, "/", "https://[::1]:8443/"},
		{"a", "http://b.example/c", "https://a:8443/c"},
		{"a", "//b.example/", "https://a:8443//b.example/"},
		{"a", "b.example/", NULL},
		{"a", "*", NULL},
		{"a", "/\r\nSet-Cookie: x", NULL},
		{"a", "/\x80", NULL},
	};
	char location[HTTP_REDIRECT_URI_MAX + 300];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int r = http_redirect_location(cases[i].host, "::1", 8443, cases[i].uri, location,
					       sizeof(location));

		ck_assert_int_eq(r, cases[i].location ? 0 : -EINVAL);
		if (r == 0)
			ck_assert_str_eq(location, cases[i].location);
	}
}
END_TEST

SUITE(check_tls)
{
	Suite *s = suite_create("tls");
	TCase *t = tcase_create("tls");

	log_setup("check_tls", LOG_LEVEL_ERR);
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_certificate_is_made_once_and_its_key_is_for_the_owner_alone);
	tcase_add_test(t, without_a_state_directory_it_is_in_memory_and_stays_over_a_reload);
	tcase_add_test(t, given_files_are_used_and_a_pair_that_does_not_match_is_refused_by_name);
	tcase_add_test(t, a_reload_takes_new_files_and_keeps_the_old_ones_when_they_are_wrong);
	tcase_add_test(t, an_expired_file_is_served_but_is_no_replacement);
	tcase_add_test(t, damaged_and_oversized_files_are_refused_by_name);
	tcase_add_test(t, a_replacement_with_its_key_is_used_and_kept);
	tcase_add_test(t, a_replacement_must_be_for_tls_servers);
	tcase_add_test(t, a_replacement_with_a_weak_key_is_refused);
	tcase_add_test(t, an_interrupted_replacement_leaves_a_certificate_with_its_key);
	tcase_add_test(t, a_requested_certificate_is_used_with_the_key_of_its_request);
	tcase_add_test(t, a_request_with_wrong_values_is_refused_by_their_names);
	tcase_add_test(t, a_request_may_have_an_rsa_key);
	tcase_add_test(t, authorities_are_added_removed_and_kept);
	tcase_add_test(t, there_are_no_more_authorities_than_the_limit);
	tcase_add_test(t, a_connection_goes_on_while_the_next_one_gets_the_new_certificate);
	tcase_add_test(t, only_tls_1_2_and_1_3_are_spoken);
	tcase_add_test(t, a_certificate_of_a_client_is_passed_on_when_it_is_valid);
	tcase_add_test(t, weak_keys_and_signatures_of_clients_and_authorities_are_refused);
	tcase_add_test(t, the_rules_of_a_listener_change_while_it_serves);
	tcase_add_test(t, a_removed_authority_also_counts_on_connections_that_are_open);
	tcase_add_test(t, a_handshake_has_the_deadline_of_a_head);
	tcase_add_test(t, plain_text_at_a_tls_port_is_closed_at_once);
	tcase_add_test(t, a_client_cannot_renegotiate);
	tcase_add_test(t, only_named_peers_read_at_a_restricted_listener);
	tcase_add_test(t, peers_are_addresses_with_a_prefix_that_covers_them);
	tcase_add_test(t, a_redirection_has_the_host_of_the_client_when_it_is_one);
	suite_add_tcase(s, t);
	return s;
}
