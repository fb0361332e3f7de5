// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One use of /dev/cxl_prm: open it, check its interface and state, translate, close.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "prm/firmware_private.h"

_Static_assert((int)FIRMWARE_BATCH_MAX == CXL_PRM_BATCH_MAX,
	       "a batch of ours is one of the module");

static enum firmware_state state_of_reason(uint32_t reason)
{
	static const enum firmware_state states[] = {
		[CXL_PRM_READY] = FIRMWARE_READY,
		[CXL_PRM_NO_PRMT] = FIRMWARE_NO_PRMT,
		[CXL_PRM_BAD_PRMT] = FIRMWARE_BAD_PRMT,
		[CXL_PRM_NO_HANDLER] = FIRMWARE_NO_HANDLER,
		[CXL_PRM_NULL_ADDRESS] = FIRMWARE_NULL_ADDRESS,
		[CXL_PRM_BAD_ADDRESS] = FIRMWARE_BAD_ADDRESS,
		[CXL_PRM_NO_MEMMAP] = FIRMWARE_NO_MEMMAP,
		[CXL_PRM_EFI_OFF] = FIRMWARE_EFI_OFF,
		[CXL_PRM_NOT_IN_KERNEL] = FIRMWARE_NOT_IN_KERNEL,
		[CXL_PRM_WEDGED] = FIRMWARE_WEDGED,
	};

	return reason < ARRAY_SIZE(states) ? states[reason] : FIRMWARE_NOT_READY;
}

/* Translates a failed open() or ioctl() to a state. */
static enum firmware_state state_of_errno(int code, bool was_ready)
{
	switch (code) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EBADF:
		return was_ready ? FIRMWARE_UNLOADED : FIRMWARE_NO_DEVICE;
	case EACCES:
	case EPERM:
		return FIRMWARE_NO_PERMISSION;
	default:
		return FIRMWARE_BROKEN;
	}
}

static void visit_failed(struct firmware_visit *v, bool was_ready)
{
	v->error = errno;
	v->state = state_of_errno(errno, was_ready);
}

static void query_info(int fd, bool was_ready, struct firmware_visit *v)
{
	struct cxl_prm_info info = {0};

	if (ioctl(fd, CXL_PRM_INFO, &info) < 0) {
		visit_failed(v, was_ready);
		return;
	}
	info.text[sizeof(info.text) - 1] = '\0';
	v->info = info;
	v->has_info = true;
	v->error = 0;
	if (info.abi_version > CXL_PRM_ABI_VERSION)
		v->state = FIRMWARE_NEWER;
	else if (info.abi_version == 0)
		v->state = FIRMWARE_BROKEN;
	else
		v->state = state_of_reason(info.reason);
}

static void read_load(int fd, struct firmware_load *ret)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		*ret = (struct firmware_load){st.st_dev, st.st_ino, st.st_ctim};
}

/* Return: a descriptor or a negative errno value. */
static int open_device(const struct firmware *f)
{
	int fd;

	if (!f->opener) {
		fd = open(f->path, O_RDWR | O_CLOEXEC | O_NOCTTY);
		return fd < 0 ? -errno : fd;
	}
	fd = opener_open(f->opener, f->path);
	/* In a /dev of its own, as PrivateDevices= makes it, a process sees no device: not
	 * unloaded. */
	return fd == -ENOENT && !opener_is_up(f->opener) ? -EACCES : fd;
}

int firmware_device_open(const struct firmware *f, bool was_ready, struct firmware_visit *v)
{
	_cleanup_close_ int fd = -1;

	*v = (struct firmware_visit){0};
	fd = open_device(f);
	if (fd < 0) {
		errno = -fd;
		visit_failed(v, was_ready);
		return -1;
	}
	read_load(fd, &v->load);
	query_info(fd, was_ready, v);
	return v->state == FIRMWARE_READY ? STEAL_FD(fd) : -1;
}

/* After these errors the state must be read: -EIO is either for one page or because EFI runtime
 * services were switched off. */
static bool needs_info(int error)
{
	return error == -EIO || error == -EOPNOTSUPP || error == -ESHUTDOWN || error == -ETIMEDOUT;
}

bool firmware_device_translate(const struct firmware *f, bool was_ready,
			       struct cxl_prm_entry *entries, size_t n, struct firmware_visit *v)
{
	struct cxl_prm_translate batch = {.count = (uint32_t)n, .entries = (uintptr_t)entries};
	_cleanup_close_ int fd = firmware_device_open(f, was_ready, v);

	if (fd < 0)
		return false;
	/* It was ready a moment ago, so the module is being unloaded. */
	if (ioctl(fd, CXL_PRM_TRANSLATE, &batch) < 0) {
		visit_failed(v, true);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (!needs_info(entries[i].error))
			continue;
		query_info(fd, true, v);
		break;
	}
	return true;
}
