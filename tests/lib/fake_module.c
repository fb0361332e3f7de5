// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/fake_module.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/fake_ioctl.h"

struct fake_module fake;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static int module_ioctl(int fd, unsigned long request, void *arg);

void fake_setup(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	fake = (struct fake_module){
		.rule = fake_plain, .abi = CXL_PRM_ABI_VERSION, .rate = 1000, .bucket = SIZE_MAX};
	(void)snprintf(fake.path, sizeof(fake.path), "%s/fake_module.XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(fake.path);
	if (fd < 0)
		abort();
	(void)close(fd);
	fake_ioctl = module_ioctl;
}

void fake_wait_until_quick(struct firmware *f)
{
	const struct firmware_query q = {.bus = 1, .dpa = 0x1000};
	struct firmware_timeout timeout = {.call_ms = 60000};
	fake_rule *rule;
	struct firmware_status s;
	struct firmware_answer a;

	fake_lock();
	rule = fake.rule;
	fake.rule = fake_plain;
	fake_unlock();
	do {
		firmware_translate_uncached(f, &q, 1, &timeout, &a);
		firmware_status(f, &s);
	} while (s.state == FIRMWARE_SLOW);
	fake_lock();
	fake.rule = rule;
	fake_unlock();
}

void fake_teardown(void)
{
	fake_release();
	fake_ioctl = NULL;
	(void)unlink(fake.path);
}

void fake_lock(void)
{
	pthread_mutex_lock(&lock);
}

void fake_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void fake_release(void)
{
	fake_lock();
	fake.hold = false;
	pthread_cond_broadcast(&changed);
	fake_unlock();
}

void fake_wait_for_ioctls(size_t n)
{
	fake_lock();
	while (fake.ioctls < n)
		pthread_cond_wait(&changed, &lock);
	fake_unlock();
}

int fake_plain(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	*ret_spa = FAKE_BASE + dpa / 256 * 512 + bus * 256U + dpa % 256;
	return bus > 1 ? -ENOENT : 0;
}

int fake_permuted(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	if (bus < 2)
		bus = (uint8_t)(bus ^ (unsigned int)__builtin_parityll(dpa / 256 >> 1));
	return fake_plain(bus, dpa, ret_spa);
}

static void answer(struct cxl_prm_entry *entry)
{
	uint64_t spa;

	entry->spa = CXL_PRM_NO_SPA;
	entry->error = -EAGAIN;
	if (fake.bucket == 0) {
		fake.limited++;
		return;
	}
	fake.bucket--;
	fake.calls++;
	entry->error = fake.rule(entry->bus, entry->dpa, &spa);
	if (!entry->error)
		entry->spa = spa;
}

static int info(struct cxl_prm_info *ret)
{
	if (fake.info_errno) {
		errno = fake.info_errno;
		return -1;
	}
	*ret = (struct cxl_prm_info){.abi_version = fake.abi,
				     .reason = fake.reason,
				     .rate = fake.rate,
				     .burst = 256,
				     .max_batch = CXL_PRM_BATCH_MAX,
				     .calls = fake.calls,
				     .text = "as the module says"};
	return 0;
}

static int translate(const struct cxl_prm_translate *batch)
{
	struct cxl_prm_entry *entries = (struct cxl_prm_entry *)(uintptr_t)batch->entries;

	fake.ioctls++;
	pthread_cond_broadcast(&changed);
	if (batch->count > fake.largest_batch)
		fake.largest_batch = batch->count;
	if (fake.translate_errno) {
		errno = fake.translate_errno;
		return -1;
	}
	while (fake.hold)
		pthread_cond_wait(&changed, &lock);
	if (fake.call_us) {
		unsigned int us = fake.call_us * batch->count;

		fake_unlock();
		(void)usleep(us);
		fake_lock();
	}
	if (fake.reason_after)
		fake.reason = fake.reason_after;
	for (uint32_t i = 0; i < batch->count; i++)
		answer(&entries[i]);
	return 0;
}

static int module_ioctl(int fd, unsigned long request, void *arg)
{
	int r = -1;

	(void)fd;
	fake_lock();
	errno = ENOTTY;
	if (request == CXL_PRM_INFO)
		r = info(arg);
	else if (request == CXL_PRM_TRANSLATE)
		r = translate(arg);
	fake_unlock();
	return r;
}
