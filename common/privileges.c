// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int capabilities_drop(uint64_t keep)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct old[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_data_struct new[_LINUX_CAPABILITY_U32S_3] = {0};

	/* The bounding set only matters across an execve, and no_new_privs settles that, too:
	 * without CAP_SETPCAP it stays as it is. */
	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (!(keep & (UINT64_C(1) << cap)))
			(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &header, old) < 0)
		return -errno;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		new[i].permitted = old[i].permitted &(uint32_t)(keep >> (32 * i));
		new[i].effective = new[i].permitted;
	}
	/* The service's unit forbids capset(), and leaves nothing to drop. */
	if (memcmp(old, new, sizeof(new)) == 0)
		return 0;
	return syscall(SYS_capset, &header, new) < 0 ? -errno : 0;
}

static int capabilities_get(struct __user_cap_header_struct *header,
			    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3])
{
	*header = (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
	return syscall(SYS_capget, header, data) < 0 ? -errno : 0;
}

int capabilities_use(uint64_t set)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_header_struct header;
	bool same = true;
	int r = capabilities_get(&header, data);

	for (int i = 0; r == 0 && i < _LINUX_CAPABILITY_U32S_3; i++) {
		const uint32_t wanted = data[i].permitted & (uint32_t)(set >> (32 * i));

		same &= data[i].effective == wanted;
		data[i].effective = wanted;
	}
	if (r < 0 || same)
		return r;
	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

_Static_assert(sizeof(((struct capabilities_switch *)0)->permitted) ==
		       _LINUX_CAPABILITY_U32S_3 * sizeof(uint32_t),
	       "a switch has all capabilities");

int capabilities_prepare(uint64_t set, struct capabilities_switch *ret)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_header_struct header;
	int r = capabilities_get(&header, data);

	for (int i = 0; r == 0 && i < _LINUX_CAPABILITY_U32S_3; i++)
		ret->permitted[i] = data[i].permitted & (uint32_t)(set >> (32 * i));
	return r;
}

int capabilities_turn(const struct capabilities_switch *s, bool on)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted = s->permitted[i];
		data[i].effective = on ? s->permitted[i] : 0;
	}
	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

int capabilities_pass(uint64_t set)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_header_struct header;
	int r = capabilities_get(&header, data);

	if (r < 0)
		return r;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		data[i].inheritable = data[i].permitted & (uint32_t)(set >> (32 * i));
	if (syscall(SYS_capset, &header, data) < 0)
		return -errno;
	for (unsigned long cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (data[cap / 32].inheritable & (UINT32_C(1) << (cap % 32)) &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0)
			return -errno;
	return 0;
}

bool capabilities_has(int cap)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	struct __user_cap_header_struct header;

	return capabilities_get(&header, data) == 0 &&
	       data[cap / 32].effective & (UINT32_C(1) << (cap % 32));
}
