// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/run.h"

#include <errno.h>
#include <string.h>

#include "change/lock.h"
#include "change/operations.h"

static change_operation *const operations[CHANGE_KINDS] = {
	[CHANGE_REGION_CREATE] = change_region_create,
	[CHANGE_REGION_DESTROY] = change_region_destroy,
	[CHANGE_MEMORY_ONLINE] = change_memory_online,
	[CHANGE_MEMORY_OFFLINE] = change_memory_offline,
	[CHANGE_MEMORY_DEVDAX] = change_memory_offline,
	[CHANGE_MEMDEV_ENABLE] = change_memdev_enabled,
	[CHANGE_MEMDEV_DISABLE] = change_memdev_enabled,
	[CHANGE_PARTITIONS] = change_partitions,
	[CHANGE_ALERTS] = change_alerts,
	[CHANGE_LIGHT] = change_light,
	[CHANGE_SET_PASSPHRASE] = change_security,
	[CHANGE_DISABLE_PASSPHRASE] = change_security,
	[CHANGE_UNLOCK] = change_security,
	[CHANGE_FREEZE_SECURITY] = change_security,
	[CHANGE_SECURE_ERASE] = change_security,
	[CHANGE_OVERWRITE] = change_overwrite,
	[CHANGE_POISON_INJECT] = change_poison,
	[CHANGE_POISON_CLEAR] = change_poison,
	[CHANGE_POISON_LIST] = change_poison_list,
	[CHANGE_REPAIR] = change_repair,
	[CHANGE_FIRMWARE] = change_firmware,
	[CHANGE_TIMESTAMP] = change_timestamp,
	[CHANGE_QOS_READ] = change_qos_read,
	[CHANGE_THROTTLING] = change_throttling,
	[CHANGE_SCAN_MEDIA] = change_scan_media,
	[CHANGE_SCRUB] = change_scrub,
	[CHANGE_ECS] = change_ecs,
	[CHANGE_REGION_SCRUB] = change_region_scrub,
};

static int run_locked(const struct change_context *x, const struct change *c,
		      struct change_result *ret)
{
	const struct host *host;
	struct error e = {0};
	int r = host_read(x->root, &host, &e);

	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED, "the host cannot be read: %s",
					 e.text);
	r = operations[c->kind](x, c, host, ret);
	(void)host_unref(host);
	return r;
}

int change_run(const struct change_context *x, const struct change *c, struct change_result *ret)
{
	struct change_lock lock = {.fd = -1};
	struct error e = {0};
	int r = change_check(c, &e);

	memset(ret, 0, sizeof(*ret));
	memcpy(ret->object, c->object, sizeof(ret->object));
	if (r == 0 && x->root->captured)
		r = error_set(&e, EROFS, "a captured host cannot be changed");
	if (r == 0)
		r = change_lock_take(c, &lock, &e);
	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED, "%s", e.text);
	ret->error = run_locked(x, c, ret);
	change_lock_release(&lock);
	return ret->error;
}
