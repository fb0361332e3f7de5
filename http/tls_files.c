// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/tls_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/fileio.h"

enum { KEY_MODE = 0600, CERTIFICATE_MODE = 0644, KEY_ID_BYTES = 64 };

void tls_chain_done(struct tls_chain *c)
{
	for (unsigned int i = 0; i < c->n; i++)
		gnutls_x509_crt_deinit(c->items[i]);
	c->n = 0;
}

int tls_chain_parse(const char *what, const char *pem, size_t len, struct tls_chain *ret,
		    struct error *e)
{
	const gnutls_datum_t text = {(unsigned char *)pem, (unsigned int)len};
	struct tls_chain c = {.n = TLS_CHAIN_MAX};
	int r = len > TLS_PEM_MAX
			? GNUTLS_E_CERTIFICATE_ERROR
			: gnutls_x509_crt_list_import(c.items, &c.n, &text, GNUTLS_X509_FMT_PEM,
						      GNUTLS_X509_CRT_LIST_IMPORT_FAIL_IF_EXCEED);

	if (r == GNUTLS_E_SHORT_MEMORY_BUFFER)
		return error_set(e, EINVAL, "%s has more than %d certificates", what,
				 TLS_CHAIN_MAX);
	if (r == GNUTLS_E_NO_CERTIFICATE_FOUND || r == 0)
		return error_set(e, EINVAL, "%s has no certificate (PEM)", what);
	if (r < 0)
		return error_set(e, EINVAL, "%s has a certificate that cannot be read: %s", what,
				 gnutls_strerror(r));
	c.n = (unsigned int)r;
	*ret = c;
	return 0;
}

int tls_key_parse(const char *what, const char *pem, size_t len, gnutls_x509_privkey_t *ret,
		  struct error *e)
{
	const gnutls_datum_t text = {(unsigned char *)pem, (unsigned int)len};
	gnutls_x509_privkey_t key = NULL;
	int r;

	if (!memmem(pem, len, "PRIVATE KEY-----", strlen("PRIVATE KEY-----")))
		return error_set(e, ENOENT, "%s has no private key (PEM)", what);
	r = gnutls_x509_privkey_init(&key);
	if (r >= 0)
		r = gnutls_x509_privkey_import2(key, &text, GNUTLS_X509_FMT_PEM, NULL, 0);
	if (r < 0) {
		gnutls_x509_privkey_deinit(key);
		return error_set(
			e, EINVAL,
			"%s has a private key that cannot be read, it must be PEM and not encrypted: %s",
			what, gnutls_strerror(r));
	}
	*ret = key;
	return 0;
}

int tls_certificate_check_strength(const char *what, gnutls_x509_crt_t crt, struct error *e)
{
	unsigned int bits = 0;
	int algorithm = gnutls_x509_crt_get_pk_algorithm(crt, &bits);
	int signature = gnutls_x509_crt_get_signature_algorithm(crt);

	/* Clients refuse it, and who finds the key can pretend to be its owner. */
	if (algorithm < 0 || gnutls_pk_bits_to_sec_param((gnutls_pk_algorithm_t)algorithm, bits) <
				     GNUTLS_SEC_PARAM_MEDIUM)
		return error_set(
			e, EINVAL,
			"%s has a key that is too weak (%u bits): use ECDSA with 256 bits, or RSA with 2048",
			what, bits);
	if (signature < 0 || !gnutls_sign_is_secure2((gnutls_sign_algorithm_t)signature,
						     GNUTLS_SIGN_FLAG_SECURE_FOR_CERTS))
		return error_set(
			e, EINVAL, "%s has a signature that is too weak (%s): use one with SHA-256",
			what,
			signature < 0 ? "not known"
				      : gnutls_sign_get_name((gnutls_sign_algorithm_t)signature));
	return 0;
}

bool tls_key_belongs(gnutls_x509_privkey_t key, gnutls_x509_crt_t certificate)
{
	unsigned char a[KEY_ID_BYTES], b[KEY_ID_BYTES];
	size_t n_a = sizeof(a), n_b = sizeof(b);

	return gnutls_x509_privkey_get_key_id(key, GNUTLS_KEYID_USE_SHA256, a, &n_a) >= 0 &&
	       gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA256, b, &n_b) >= 0 &&
	       n_a == n_b && memcmp(a, b, n_a) == 0;
}

static int pem_read(const char *path, char **ret, size_t *ret_len, struct error *e)
{
	int r = read_file_at(AT_FDCWD, path, TLS_PEM_MAX, ret, ret_len);

	return r < 0 ? error_set(e, r, "cannot read %s: %s", path, strerror(-r)) : 0;
}

int tls_chain_load(const char *path, struct tls_chain *ret, struct error *e)
{
	_cleanup_free_ char *pem = NULL;
	size_t len = 0;
	int r = pem_read(path, &pem, &len, e);

	if (r < 0)
		return r;
	r = tls_chain_parse(path, pem, len, ret, e);
	/* A certificate file may have its key, too. */
	gnutls_memset(pem, 0, len);
	return r;
}

int tls_key_load(const char *path, gnutls_x509_privkey_t *ret, struct error *e)
{
	_cleanup_free_ char *pem = NULL;
	size_t len = 0;
	int r = pem_read(path, &pem, &len, e);

	if (r < 0)
		return r;
	r = tls_key_parse(path, pem, len, ret, e);
	gnutls_memset(pem, 0, len);
	return r == -ENOENT ? -EINVAL : r;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		bytes += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int sync_directory(const char *path)
{
	char copy[PATH_MAX];
	_cleanup_close_ int fd = -1;

	(void)snprintf(copy, sizeof(copy), "%s", path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int write_file(const char *path, const char *temporary, const void *bytes, size_t len,
		      unsigned int mode)
{
	_cleanup_close_ int fd = -1;
	int r;

	/* A file that an interrupted write has left may have another mode. */
	(void)unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes, len);
	if (r >= 0 && fsync(fd) < 0)
		r = -errno;
	if (r >= 0 && rename(temporary, path) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlink(temporary);
		return r;
	}
	return sync_directory(path);
}

int tls_file_write(const char *path, const void *bytes, size_t len, unsigned int mode,
		   struct error *e)
{
	char temporary[PATH_MAX];
	int r;

	r = snprintf(temporary, sizeof(temporary), "%s.new", path) >= (int)sizeof(temporary)
		    ? -ENAMETOOLONG
		    : write_file(path, temporary, bytes, len, mode);
	return r < 0 ? error_set(e, r, "cannot write %s: %s", path, strerror(-r)) : 0;
}

int tls_key_write(const char *path, gnutls_x509_privkey_t key, struct error *e)
{
	gnutls_datum_t pem = {0};
	int r = gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN,
						  &pem);

	if (r < 0)
		return error_set(e, EIO, "cannot export the key for %s: %s", path,
				 gnutls_strerror(r));
	r = tls_file_write(path, pem.data, pem.size, KEY_MODE, e);
	gnutls_memset(pem.data, 0, pem.size);
	gnutls_free(pem.data);
	return r;
}

int tls_chain_write(const char *path, const struct tls_chain *c, struct error *e)
{
	struct tls_certificate *facts = tls_certificate_new(c->items, c->n);
	int r;

	if (!facts)
		return error_set(e, ENOMEM, "out of memory");
	r = tls_file_write(path, facts->pem, strlen(facts->pem), CERTIFICATE_MODE, e);
	(void)tls_certificate_free(facts);
	return r;
}
