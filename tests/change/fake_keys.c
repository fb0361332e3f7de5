// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/change/fake_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <check.h>
#include <keyutils.h>

#include "common/array.h"
#include "common/strutil.h"

enum { KEYS = 1024, TEXT = 512 };

struct fake_key {
	char type[16], description[64];
	char text[TEXT]; /* payload of a user key; blob of an encrypted one */
	uint64_t number; /* of an encrypted one */
	bool valid;
};

struct fake_device *fake_device;
int fake_error_of_user, fake_error_of_encrypted;
bool fake_decimal;
static struct fake_key keys[KEYS];
static size_t n_keys;
static void (*show)(const char *security, const char *frozen);
static unsigned int steps_left;

void fake_keys_setup(void (*fn)(const char *security, const char *frozen))
{
	fake_device = mmap(NULL, sizeof(*fake_device), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(fake_device, MAP_FAILED);
	memset(fake_device, 0, sizeof(*fake_device));
	fake_device->binds = 1;
	fake_device->last_key = 100;
	show = fn;
	n_keys = 0;
	steps_left = 0;
}

/* ---- being killed ------------------------------------------------------------------------------
 */

void fake_keys_kill_at(unsigned int n)
{
	steps_left = n;
}

static void step(void)
{
	if (steps_left > 0 && --steps_left == 0)
		_exit(FAKE_KILLED);
}

int __wrap_fsync(int fd);
int __real_fsync(int fd);
int __wrap_renameat(int a, const char *from, int b, const char *to);
int __real_renameat(int a, const char *from, int b, const char *to);
int __wrap_unlinkat(int fd, const char *path, int flags);
int __real_unlinkat(int fd, const char *path, int flags);

int __wrap_fsync(int fd)
{
	step();
	return __real_fsync(fd);
}

int __wrap_renameat(int a, const char *from, int b, const char *to)
{
	step();
	return __real_renameat(a, from, b, to);
}

int __wrap_unlinkat(int fd, const char *path, int flags)
{
	step();
	return __real_unlinkat(fd, path, flags);
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static uint64_t checksum(const char *s)
{
	uint64_t h = UINT64_C(14695981039346656037);

	while (*s)
		h = (h ^ (unsigned char)*s++) * UINT64_C(1099511628211);
	return h;
}

static struct fake_key *find(const char *type, const char *description)
{
	for (size_t i = 0; i < n_keys; i++)
		if (keys[i].valid && str_equal(keys[i].type, type) &&
		    str_equal(keys[i].description, description))
			return &keys[i];
	return NULL;
}

static struct fake_key *of_id(long id)
{
	return id >= 1 && (size_t)id <= n_keys && keys[id - 1].valid ? &keys[id - 1] : NULL;
}

/* "new enc32 user:NAME 32" or "load enc32 user:NAME 32 HEX". */
static int instantiate(struct fake_key *k, const char *line)
{
	const char *blob = str_after_prefix(line, "load ");
	char name[64];
	const struct fake_key *wrapping;
	uint64_t sum;

	if (sscanf(line, "%*s enc32 user:%63s 32", name) != 1)
		return EINVAL;
	wrapping = find("user", name);
	if (!wrapping)
		return ENOKEY;
	if (!blob) {
		k->number = ++fake_device->last_key;
		(void)snprintf(k->text, sizeof(k->text),
			       "enc32 user:%s 32 %016" PRIx64 "%016" PRIx64, name, k->number,
			       checksum(wrapping->text));
		return 0;
	}
	if (sscanf(blob, "enc32 user:%*s 32 %16" SCNx64 "%16" SCNx64, &k->number, &sum) != 2 ||
	    sum != checksum(wrapping->text))
		return EINVAL;
	(void)snprintf(k->text, sizeof(k->text), "%s", blob);
	return 0;
}

key_serial_t __real_add_key(const char *type, const char *description, const void *payload,
			    size_t len, key_serial_t ring);
long __real_keyctl_read(key_serial_t id, char *buffer, size_t size);
long __real_keyctl_invalidate(key_serial_t id);
key_serial_t __wrap_add_key(const char *type, const char *description, const void *payload,
			    size_t len, key_serial_t ring);
long __wrap_keyctl_read(key_serial_t id, char *buffer, size_t size);
long __wrap_keyctl_invalidate(key_serial_t id);

key_serial_t __wrap_add_key(const char *type, const char *description, const void *payload,
			    size_t len, key_serial_t ring)
{
	const bool encrypted = str_equal(type, "encrypted");
	struct fake_key k = {.valid = true};

	if (!fake_device)
		return __real_add_key(type, description, payload, len, ring);
	ck_assert_int_eq(ring, KEY_SPEC_THREAD_KEYRING);
	ck_assert_uint_lt(len, sizeof(k.text));
	ck_assert_uint_lt(n_keys, KEYS);
	ck_assert_msg(!find(type, description), "%s %s is there already", type, description);
	(void)snprintf(k.type, sizeof(k.type), "%s", type);
	(void)snprintf(k.description, sizeof(k.description), "%s", description);
	memcpy(k.text, payload, len);
	errno = encrypted ? fake_error_of_encrypted : fake_error_of_user;
	if (errno == 0 && encrypted) {
		char line[TEXT];

		(void)snprintf(line, sizeof(line), "%s", k.text);
		errno = instantiate(&k, line);
	}
	if (errno)
		return -1;
	keys[n_keys++] = k;
	return (key_serial_t)n_keys;
}

/* The kernel needs the wrapping key for it. */
long __wrap_keyctl_read(key_serial_t id, char *buffer, size_t size)
{
	const struct fake_key *k = of_id(id);

	if (!fake_device)
		return __real_keyctl_read(id, buffer, size);
	ck_assert_ptr_nonnull(k);
	ck_assert_uint_gt(size, strlen(k->text));
	memcpy(buffer, k->text, strlen(k->text));
	return (long)strlen(k->text);
}

long __wrap_keyctl_invalidate(key_serial_t id)
{
	struct fake_key *k = of_id(id);

	if (!fake_device)
		return __real_keyctl_invalidate(id);
	ck_assert_ptr_nonnull(k);
	memset(k, 0, sizeof(*k));
	return 0;
}

size_t fake_keys_left(void)
{
	size_t n = 0;

	for (size_t i = 0; i < n_keys; i++)
		n += keys[i].valid;
	return n;
}

/* ---- the device and its driver -----------------------------------------------------------------
 */

static void show_state(void)
{
	const unsigned int left = steps_left;

	steps_left = 0; /* this is not a step of the change */
	show(fake_device->user == 0 ? "disabled\n"
	     : fake_device->locked  ? "locked\n"
				    : "unlocked\n",
	     fake_device->frozen && fake_device->user ? "1\n" : "0\n");
	steps_left = left;
}

static bool matches(uint64_t passphrase, long key)
{
	const struct fake_key *k = of_id(key);
	const uint64_t number = key == 0 ? 0 : k ? k->number : UINT64_MAX;

	if (number == passphrase)
		return true;
	fake_device->attempts++;
	return false;
}

static int command(const char *operation, long old, long new)
{
	struct fake_device *d = fake_device;
	uint64_t *of = strstr(operation, "master") ? &d->master : &d->user;

	if (str_equal(operation, "freeze")) {
		d->frozen = true;
		return 0;
	}
	if (d->frozen || d->locked || !matches(*of, old))
		return -ENXIO;
	if (strstr(operation, "update"))
		*of = of_id(new)->number;
	else if (strstr(operation, "erase"))
		d->user = 0;
	else
		*of = 0;
	return 0;
}

static int bind_driver(void)
{
	const struct fake_key *k = find("encrypted", fake_decimal ? "nvdimm:10" : "nvdimm:a");

	fake_device->binds = 1;
	if (!fake_device->locked)
		return 0;
	if (k && k->number == fake_device->user)
		fake_device->locked = false;
	else
		fake_device->attempts++;
	return 0;
}

int fake_keys_write(const char *path, const char *value)
{
	char operation[32] = "";
	long old = 0, new = 0;
	int r;

	step();
	ck_assert_int_ge(sscanf(value, "%31s %ld %ld", operation, &old, &new), 1);
	fake_device->commands++;
	if (fake_device->deaf)
		return -ENXIO;
	if (str_equal(path, "/sys/bus/nd/drivers/nvdimm/unbind")) {
		ck_assert_str_eq(value, "nmem1");
		fake_device->binds = 0;
		return 0;
	}
	if (str_equal(path, "/sys/bus/nd/drivers/nvdimm/bind")) {
		r = bind_driver();
	} else {
		ck_assert_str_eq(path, "/sys/bus/nd/devices/nmem1/security");
		r = command(operation, old, new);
	}
	show_state();
	step();
	return fake_device->silent ? -ETIMEDOUT : r;
}
