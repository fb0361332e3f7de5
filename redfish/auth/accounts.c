// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/accounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/gnutls.h>

#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/auth/accounts_private.h"
#include "redfish/core/job.h"

enum { PASSWORD_FILE_MAX = 4096 };

/* ---- the password of the options --------------------------------------------------------------
 */

static int first_line(const char *path, char *text, size_t len, struct error *e)
{
	char *end = memchr(text, '\n', len);
	size_t n = end ? (size_t)(end - text) : len;

	if (n > 0 && text[n - 1] == '\r')
		n--;
	if (n == 0)
		return error_set(e, EINVAL,
				 "%s: the first line is empty, but it must be the password", path);
	if (memchr(text, '\0', n))
		return error_set(e, EINVAL, "%s: the password contains a NUL byte", path);
	text[n] = '\0';
	return 0;
}

int password_file_read(const char *path, char **ret, struct error *e)
{
	char *text;
	size_t len;
	int r;

	r = read_file_at(AT_FDCWD, path, PASSWORD_FILE_MAX, &text, &len);
	if (r < 0)
		return error_set(e, r, "cannot read the password file %s: %s", path, strerror(-r));
	r = first_line(path, text, len, e);
	if (r == 0)
		*ret = strdup(text);
	if (r == 0 && !*ret)
		r = error_set(e, ENOMEM, "out of memory");
	explicit_bzero(text, len);
	free(text);
	return r;
}

char *password_free(char *password)
{
	if (password)
		explicit_bzero(password, strlen(password));
	free(password);
	return NULL;
}

static enum password_fault password_fault(const char *password, size_t min)
{
	size_t len = strlen(password);

	if (len < min)
		return PASSWORD_TOO_SHORT;
	if (len > PASSWORD_LENGTH_MAX)
		return PASSWORD_TOO_LONG;
	return str_has_control(password) ? PASSWORD_BYTES : PASSWORD_ALLOWED;
}

/* With the lock held. Return: 0; -ENOMEM. */
static int keep_first_password(struct accounts *a, const char *password)
{
	char *copy = strdup(password);

	if (!copy)
		return -ENOMEM;
	(void)password_free(a->first_password);
	a->first_password = copy;
	return 0;
}

/* Without a state database: the account whose credential always is the one that was accepted. */
static int set_only_account(struct accounts *a, const char *password)
{
	struct account_entry *i = &a->entries[0];
	uint8_t digest[DIGEST_BYTES];
	int r;

	r = accounts_digest(a, ACCOUNT_FIRST, password, digest);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&a->lock);
	if (a->n == 0 || !digest_equal(i->digest, digest)) {
		*i = (struct account_entry){
			.account = {.number = 1, .role = ROLE_ADMINISTRATOR, .enabled = true}};
		(void)snprintf(i->account.name, sizeof(i->account.name), "%s", ACCOUNT_FIRST);
		account_entry_renew(a, i);
		memcpy(i->digest, digest, sizeof(digest));
		i->digest_until_ms = UINT64_MAX;
		a->n = 1;
	}
	(void)pthread_mutex_unlock(&a->lock);
	return 0;
}

/* With the lock held. */
static void note_unused_password(struct accounts *a)
{
	if (!a->noted_first)
		log_info(
			"the accounts are those of the state database: the password of the password file was the first one only, and is not used");
	a->noted_first = true;
	a->first_password = password_free(a->first_password);
}

int accounts_reload(struct accounts *a, const char *password, struct error *e)
{
	int r = 0;

	if (!password)
		return 0;
	if (password_fault(password, 1) != PASSWORD_ALLOWED)
		return error_set(
			e, EKEYREJECTED,
			"the password of the password file cannot be used: it has more than %d bytes, or a control character",
			PASSWORD_LENGTH_MAX);
	if (!a->state) {
		r = set_only_account(a, password);
	} else {
		(void)pthread_mutex_lock(&a->lock);
		if (a->n > 0)
			note_unused_password(a);
		else
			r = keep_first_password(a, password);
		(void)pthread_mutex_unlock(&a->lock);
	}
	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

/* ---- the state database -----------------------------------------------------------------------
 */

static void take_rows(struct accounts *a, const struct state_accounts *rows)
{
	(void)pthread_mutex_lock(&a->lock);
	for (size_t i = 0; i < rows->n; i++) {
		struct account_entry *entry = &a->entries[i];

		*entry = (struct account_entry){.account = rows->items[i].account};
		memcpy(entry->hash, rows->items[i].hash, sizeof(entry->hash));
		account_entry_renew(a, entry);
	}
	a->n = rows->n;
	a->policy = rows->policy;
	a->known = true;
	if (a->n > 0 && a->first_password)
		note_unused_password(a);
	(void)pthread_mutex_unlock(&a->lock);
}

static int read_database(struct accounts *a)
{
	struct state_accounts *rows = calloc(1, sizeof(*rows));
	int r;

	if (!rows)
		return -ENOMEM;
	/* The state database logs why it cannot be used. */
	r = state_read_accounts(a->state, rows, NULL);
	if (r == 0)
		take_rows(a, rows);
	explicit_bzero(rows, sizeof(*rows));
	free(rows);
	return r;
}

/* Return: the password of the first account, if it is to be created; NULL otherwise. */
static char *first_password(struct accounts *a)
{
	char *ret = NULL;

	(void)pthread_mutex_lock(&a->lock);
	if (a->known && a->n == 0 && a->first_password)
		ret = strdup(a->first_password);
	(void)pthread_mutex_unlock(&a->lock);
	return ret;
}

static int create_first(struct accounts *a, const char *password)
{
	struct state_account row = {.account = {.role = ROLE_ADMINISTRATOR, .enabled = true}};
	struct account_entry *i = &a->entries[0];
	int r;

	(void)snprintf(row.account.name, sizeof(row.account.name), "%s", ACCOUNT_FIRST);
	r = password_hash(password, row.hash);
	if (r == 0)
		r = state_put_account(a->state, &row, NULL);
	(void)pthread_mutex_lock(&a->lock);
	if (r == 0) {
		*i = (struct account_entry){.account = row.account};
		memcpy(i->hash, row.hash, sizeof(i->hash));
		account_entry_renew(a, i);
		a->n = 1;
		a->first_password = password_free(a->first_password);
		a->noted_first = true;
	}
	(void)pthread_mutex_unlock(&a->lock);
	explicit_bzero(&row, sizeof(row));
	return r;
}

int accounts_load(struct accounts *a)
{
	char *password;
	int r = 0;

	if (!a->state)
		return 0;
	if (!accounts_are_known(a))
		r = read_database(a);
	if (r < 0)
		return -EBUSY;
	password = first_password(a);
	if (!password)
		return 0;
	r = create_first(a, password);
	if (r == 0)
		log_info("created the account '%s' with the password of the password file",
			 ACCOUNT_FIRST);
	(void)password_free(password);
	return r < 0 ? -EBUSY : 0;
}

static int retry_run(struct job *job, void *state)
{
	struct accounts *a = state;
	int r;

	(void)job;
	(void)pthread_mutex_lock(&a->change);
	r = accounts_load(a);
	(void)pthread_mutex_unlock(&a->change);
	return r;
}

static void retry_end(struct job *job, void *state, int result)
{
	struct accounts *a = state;

	(void)job;
	(void)result;
	atomic_store(&a->is_retrying, false);
}

void accounts_retry(struct accounts *a, struct jobs *jobs)
{
	static const struct job_ops ops = {.class = JOB_STORE, .run = retry_run, .end = retry_end};
	bool wanted;

	(void)pthread_mutex_lock(&a->lock);
	wanted = a->state && (!a->known || (a->n == 0 && a->first_password));
	(void)pthread_mutex_unlock(&a->lock);
	if (!wanted || atomic_exchange(&a->is_retrying, true))
		return;
	if (job_submit(jobs, &ops, a, NULL) < 0)
		atomic_store(&a->is_retrying, false);
}

/* ---- lifetime ---------------------------------------------------------------------------------
 */

int accounts_new(struct state *state, const char *password, struct accounts **ret, struct error *e)
{
	struct accounts *a = calloc(1, sizeof(*a));
	int r;

	if (!a)
		return error_set(e, ENOMEM, "out of memory");
	(void)pthread_mutex_init(&a->change, NULL);
	(void)pthread_mutex_init(&a->lock, NULL);
	login_log_init(&a->log);
	TAILQ_INIT(&a->logins);
	a->state = state;
	a->policy = account_policy_default;
	a->known = !state;
	r = digest_key_init(&a->key);
	if (r < 0)
		(void)error_set(e, r, "there are no random numbers");
	else
		r = accounts_reload(a, password, e);
	if (r < 0) {
		(void)accounts_free(a);
		return r;
	}
	(void)accounts_load(a);
	*ret = a;
	return 0;
}

struct accounts *accounts_free(struct accounts *a)
{
	if (!a)
		return NULL;
	(void)password_free(a->first_password);
	lockouts_done(&a->lockouts);
	digest_key_done(&a->key);
	login_log_done(&a->log);
	(void)pthread_mutex_destroy(&a->lock);
	(void)pthread_mutex_destroy(&a->change);
	explicit_bzero(a, sizeof(*a));
	free(a);
	return NULL;
}

void accounts_set_audit(struct accounts *a, struct audit *audit)
{
	a->audit = audit;
}

/* ---- with the lock held -----------------------------------------------------------------------
 */

struct account_entry *account_entry_find(struct accounts *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++)
		if (str_equal(a->entries[i].account.name, name))
			return &a->entries[i];
	return NULL;
}

struct account_entry *account_entry_get(struct accounts *a, uint64_t number)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->entries[i].account.number == number)
			return &a->entries[i];
	return NULL;
}

bool account_entry_is_usable(const struct account_entry *i)
{
	return i->account.enabled && !i->account.locked;
}

void account_entry_describe(const struct account_entry *i, struct principal *ret)
{
	memcpy(ret->name, i->account.name, sizeof(ret->name));
	ret->role = i->account.role;
	ret->privileges = role_privileges(i->account.role);
	ret->account = i->account.number;
	ret->credential = i->credential;
	ret->password_change_required = i->account.password_change_required;
}

void account_entry_renew(struct accounts *a, struct account_entry *i)
{
	i->credential = ++a->last_credential;
	explicit_bzero(i->digest, sizeof(i->digest));
	i->digest_until_ms = 0;
}

struct lockout_rule accounts_lockout_rule(const struct accounts *a)
{
	return (struct lockout_rule){
		.threshold = a->policy.lockout_threshold,
		.duration_ms = (uint64_t)a->policy.lockout_duration_s * 1000,
		.reset_ms = (uint64_t)a->policy.lockout_reset_s * 1000,
	};
}

/* ---- reading ----------------------------------------------------------------------------------
 */

bool accounts_are_writable(const struct accounts *a)
{
	return a->state;
}

bool accounts_are_known(struct accounts *a)
{
	bool known;

	(void)pthread_mutex_lock(&a->lock);
	known = a->known;
	(void)pthread_mutex_unlock(&a->lock);
	return known;
}

bool accounts_exist(struct accounts *a)
{
	bool exist;

	(void)pthread_mutex_lock(&a->lock);
	exist = !a->known || a->n > 0 || a->first_password;
	(void)pthread_mutex_unlock(&a->lock);
	return exist;
}

/* With the lock held. */
static void copy_account(const struct accounts *a, const struct account_entry *i,
			 struct account *ret)
{
	*ret = i->account;
	ret->locked_out = lockouts_any(&a->lockouts, i->account.number, clock_boottime_ms());
}

size_t accounts_list(struct accounts *a, struct account ret[static ACCOUNTS_MAX])
{
	size_t n;

	(void)pthread_mutex_lock(&a->lock);
	n = a->n;
	for (size_t i = 0; i < n; i++)
		copy_account(a, &a->entries[i], &ret[i]);
	(void)pthread_mutex_unlock(&a->lock);
	return n;
}

bool accounts_get(struct accounts *a, uint64_t number, struct account *ret)
{
	const struct account_entry *i;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, number);
	if (i)
		copy_account(a, i, ret);
	(void)pthread_mutex_unlock(&a->lock);
	return i;
}

bool accounts_find(struct accounts *a, const char *name, struct account *ret)
{
	const struct account_entry *i;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_find(a, name);
	if (i)
		copy_account(a, i, ret);
	(void)pthread_mutex_unlock(&a->lock);
	return i;
}

bool accounts_still_admit(struct accounts *a, const struct principal *p)
{
	const struct account_entry *i;
	bool ret;

	if (!a || p->account == 0)
		return true;
	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, p->account);
	ret = i && i->credential == p->credential && account_entry_is_usable(i) &&
	      !i->account.password_change_required;
	(void)pthread_mutex_unlock(&a->lock);
	return ret;
}

unsigned int accounts_privileges(struct accounts *a, uint64_t number)
{
	const struct account_entry *i;
	unsigned int ret = 0;

	if (!a || number == 0)
		return PRIVILEGES_ALL;
	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_get(a, number);
	if (!a->known)
		ret = PRIVILEGES_ALL;
	else if (i && account_entry_is_usable(i))
		ret = role_privileges(i->account.role);
	(void)pthread_mutex_unlock(&a->lock);
	return ret;
}

void accounts_on_revocation(struct accounts *a, revocation_listener *fn, void *userdata)
{
	revocations_listen(&a->revocations, fn, userdata);
}

void accounts_policy(struct accounts *a, struct account_policy *ret)
{
	(void)pthread_mutex_lock(&a->lock);
	*ret = a->policy;
	(void)pthread_mutex_unlock(&a->lock);
}

enum password_fault accounts_password_fault(struct accounts *a, const char *password)
{
	struct account_policy policy;

	accounts_policy(a, &policy);
	return password_fault(password, policy.min_password_length);
}

/* ---- authentication ---------------------------------------------------------------------------
 */

/* The buffers hold the plain text and are always cleared. */
int accounts_digest(struct accounts *a, const char *user, const char *password,
		    uint8_t ret[static DIGEST_BYTES])
{
	unsigned char plain[PRINCIPAL_NAME_MAX + 1 + PASSWORD_LENGTH_MAX + 1];
	gnutls_datum_t in = {.data = plain}, token = {0};
	int n = snprintf((char *)plain, sizeof(plain), "%s:%s", user, password);
	int r = -EINVAL;

	if (n > 0 && (size_t)n < sizeof(plain)) {
		in.size = (unsigned int)n;
		r = gnutls_base64_encode2(&in, &token) < 0 ? -ENOMEM : 0;
	}
	if (r == 0)
		r = digest_make(&a->key, token.data, token.size, ret);
	gnutls_memset(plain, 0, sizeof(plain));
	if (token.data)
		gnutls_memset(token.data, 0, token.size);
	gnutls_free(token.data);
	return r;
}

/* Digests under a secret key: that the time depends on how many bytes are equal reveals nothing. */
static bool entry_has_digest(const struct account_entry *i, const uint8_t digest[DIGEST_BYTES],
			     uint64_t now)
{
	return now < i->digest_until_ms && memcmp(i->digest, digest, DIGEST_BYTES) == 0;
}

int accounts_by_digest(struct accounts *a, const uint8_t digest[static DIGEST_BYTES],
		       const struct login_origin *o, struct principal *ret, uint64_t *ret_wait_ms)
{
	const struct account_entry *found = NULL;
	uint64_t now = clock_boottime_ms(), wait = 0;
	int r = -ENOENT;

	(void)pthread_mutex_lock(&a->lock);
	for (size_t i = 0; i < a->n && !found; i++)
		if (entry_has_digest(&a->entries[i], digest, now))
			found = &a->entries[i];
	if (found && account_entry_is_usable(found)) {
		wait = o ? lockouts_wait(&a->lockouts, o, found->account.number, now) : 0;
		if (wait &&
		    known_logins_admit(&a->known_logins, o, found->account.number, digest, now))
			wait = 0;
		r = wait ? -EACCES : 0;
	}
	if (r == 0)
		account_entry_describe(found, ret);
	(void)pthread_mutex_unlock(&a->lock);
	if (r == -EACCES)
		*ret_wait_ms = wait;
	return r;
}

bool accounts_have_lockouts(struct accounts *a)
{
	bool ret;

	(void)pthread_mutex_lock(&a->lock);
	ret = a->lockouts.n > 0;
	(void)pthread_mutex_unlock(&a->lock);
	return ret;
}

bool accounts_by_name(struct accounts *a, const char *name, struct principal *ret)
{
	const struct account_entry *i;
	bool usable;

	(void)pthread_mutex_lock(&a->lock);
	i = account_entry_find(a, name);
	usable = i && account_entry_is_usable(i);
	if (usable)
		account_entry_describe(i, ret);
	(void)pthread_mutex_unlock(&a->lock);
	return usable;
}
