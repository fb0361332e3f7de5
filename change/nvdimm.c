// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/nvdimm.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "change/device.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

#define DEVICES "/sys/bus/nd/devices/"
#define DRIVER	"/sys/bus/nd/drivers/nvdimm/"

static const char *const state_names[] = {
	[NVDIMM_DISABLED] = "disabled",
	[NVDIMM_UNLOCKED] = "unlocked",
	[NVDIMM_LOCKED] = "locked",
};

const char *nvdimm_state_name(enum nvdimm_state state)
{
	return state_names[state];
}

static bool is_nmem(const char *name)
{
	const char *digits = str_after_prefix(name, "nmem");

	return digits && *digits && strspn(digits, "0123456789") == strlen(digits) &&
	       strlen(name) < CHANGE_NAME_MAX;
}

/*
 * Whether it is that of the device: its provider is the device that the driver cxl_pmem has below
 * memN, pmemN.
 */
static bool is_of(const struct host_root *root, const char *nmem, const struct memdev *m)
{
	char path[NVDIMM_PATH_MAX], provider[CHANGE_NAME_MAX];
	const char *memdev;

	(void)snprintf(path, sizeof(path), DEVICES "%.32s/cxl/provider", nmem);
	if (device_read(root, path, provider, sizeof(provider)) < 0)
		return false;
	memdev = str_after_prefix(provider, "p");
	return memdev && str_equal(memdev, m->name);
}

static bool find_name(const struct host_root *root, const struct memdev *m,
		      char ret[static CHANGE_NAME_MAX])
{
	_cleanup_closedir_ DIR *d = opendir(DEVICES);
	const struct dirent *entry;

	while (d && (entry = readdir(d))) {
		if (!is_nmem(entry->d_name) || !is_of(root, entry->d_name, m))
			continue;
		memcpy(ret, entry->d_name, strlen(entry->d_name) + 1);
		return true;
	}
	return false;
}

static bool is_decimal(const char *s)
{
	s += *s == '-';
	return *s && strspn(s, "0123456789") == strlen(s);
}

/* drivers/cxl/core/pmem.c, cxl_nvdimm_alloc() */
static void set_keys(const struct host_root *root, const struct memdev *m, struct nvdimm *n)
{
	char path[NVDIMM_PATH_MAX + 16], id[24];

	(void)snprintf(n->key[0], sizeof(n->key[0]), "nvdimm:%" PRIx64, m->serial.value);
	(void)snprintf(path, sizeof(path), "%s/cxl/id", n->path);
	if (device_read(root, path, id, sizeof(id)) < 0 || !is_decimal(id))
		(void)snprintf(id, sizeof(id), "%" PRIu64, m->serial.value);
	(void)snprintf(n->key[1], sizeof(n->key[1]), "nvdimm:%s", id);
	if (str_equal(n->key[0], n->key[1]))
		n->key[1][0] = '\0';
}

int nvdimm_find(const struct host_root *root, const struct memdev *m, struct nvdimm *ret,
		struct change_result *result)
{
	*ret = (struct nvdimm){0};
	if (!find_name(root, m, ret->name))
		return change_result_set(
			result, EOPNOTSUPP, CHANGE_REFUSED,
			m->enabled
				? "%s has no nvdimm, by which Linux sends the commands about passphrases: it has no persistent memory, or the module cxl_pmem is not loaded"
				: "%s is not enabled, and has therefore no nvdimm, by which Linux sends the commands about passphrases; enable it first",
			m->name);
	if (!m->serial.present || m->serial.value == 0)
		return change_result_set(
			result, EOPNOTSUPP, CHANGE_REFUSED,
			"%s has no serial number, under which its key would be kept", m->name);
	(void)snprintf(ret->path, sizeof(ret->path), DEVICES "%s", ret->name);
	set_keys(root, m, ret);
	return 0;
}

static int read_attribute(const struct host_root *root, const struct nvdimm *n, const char *attr,
			  char ret[static NVDIMM_STATE_MAX])
{
	char path[NVDIMM_PATH_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/%s", n->path, attr);
	return device_read(root, path, ret, NVDIMM_STATE_MAX);
}

static int parse_state(const struct nvdimm *n, const char *text, enum nvdimm_state *ret,
		       struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_names); i++)
		if (str_equal(text, state_names[i])) {
			*ret = (enum nvdimm_state)i;
			return 0;
		}
	if (str_equal(text, "overwrite"))
		return error_set(e, EBUSY, "it is being overwritten");
	return error_set(e, EIO, "the state in %s/security is not a known one: '%s'", n->path,
			 text);
}

int nvdimm_security(const struct host_root *root, const struct nvdimm *n,
		    struct nvdimm_security *ret, struct error *e)
{
	char state[NVDIMM_STATE_MAX], frozen[NVDIMM_STATE_MAX];
	int r = read_attribute(root, n, "security", state);

	if (r == 0)
		r = read_attribute(root, n, "frozen", frozen);
	if (r == -ENOENT)
		return error_set(e, EOPNOTSUPP,
				 "it has no attribute %s/security: the device has no such commands",
				 n->path);
	if (r < 0)
		return error_set(e, r, "its security state cannot be read: %s/security: %s",
				 n->path, strerror(-r));
	ret->frozen = !str_equal(frozen, "0");
	return parse_state(n, state, &ret->state, e);
}

int nvdimm_operate(const struct host_root *root, const struct nvdimm *n, const char *line)
{
	char path[NVDIMM_PATH_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/security", n->path);
	return change_write(root, path, line);
}

/* A device that has no driver yet, because it was locked, is only given one. */
int nvdimm_rebind(const struct host_root *root, const struct nvdimm *n)
{
	(void)change_write(root, DRIVER "unbind", n->name);
	return change_write(root, DRIVER "bind", n->name);
}
