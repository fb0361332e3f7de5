/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_SECURITY_H
#define CXLR_SYSFS_SECURITY_H

/*
 * The security state of memory devices, which changes without a uevent. No state, any thread.
 *
 * nmemN/security is not read for it: the driver reads a device's state after each of its own
 * operations, and on that read only with CONFIG_NVDIMM_SECURITY_TEST, where it is a use of the
 * device after its removal: cxlmd_release_nvdimm() of Linux 7.3 clears the pointer that
 * cxl_pmem_get_security_flags() follows before it removes the file.
 */

#include <stdbool.h>

#include "sysfs/read_notes.h"

struct memdev_security {
	/* As the kernel prints it, "unlocked"; "sanitize" while it sanitizes; NULL when absent. */
	const char *state;
	bool has_nvdimm; /* pmemN has a driver: only that reads the state from the device */
};

/*
 * security_read() - memN/security/state
 * @memdev: name of a memdev
 * @notes: their arena gets the text
 * @ret: always set
 */
void security_read(const char *memdev, struct read_notes *notes, struct memdev_security *ret);

/* Return: whether the memdev, whose directory is @fd, has an nvdimm with a driver: memN/pmemN. */
bool security_has_nvdimm(int fd, const char *memdev);

#endif
