// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int capabilities_drop(uint64_t keep, struct error *e)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	/* The bounding set only matters across an execve, and no_new_privs settles that, too:
	 * without CAP_SETPCAP it stays as it is. */
	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (!(keep & (UINT64_C(1) << cap)))
			(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &header, data) < 0)
		return error_set(e, errno, "giving up privileges: %s", strerror(errno));
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted &= (uint32_t)(keep >> (32 * i));
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data) < 0)
		return error_set(e, errno, "giving up privileges: %s", strerror(errno));
	return 0;
}
