/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_NVDIMM_H
#define CXLR_CHANGE_NVDIMM_H

/*
 * The nvdimm of a memory device, nmemK, by whose attributes Linux sends the commands about
 * passphrases (drivers/nvdimm/security.c). It exists while the device is enabled and the drivers
 * cxl_pmem and nvdimm are loaded. Private to change/; each call waits for the device.
 *
 * libndctl is not used: each operation is one line that is written to one attribute, its objects
 * are found only after a walk of the whole nvdimm bus, and its errors are those of that write.
 */

#include <stdint.h>

#include "change/context.h"

enum { NVDIMM_STATE_MAX = 16, NVDIMM_PATH_MAX = 256, NVDIMM_KEY_MAX = 48 };

enum nvdimm_state { NVDIMM_DISABLED, NVDIMM_UNLOCKED, NVDIMM_LOCKED };

struct nvdimm {
	char name[CHANGE_NAME_MAX]; /* "nmem3" */
	char path[NVDIMM_PATH_MAX]; /* absolute, of its directory */
	/*
	 * By which the driver searches its key in keyrings: "nvdimm:" and the serial number,
	 * hexadecimal in Linux 6.12, and as in the attribute cxl/id in 7.3; "" when that is the
	 * same. Under the wrong one it finds none, and asks the device with a key of zeros, which
	 * counts as an attempt.
	 */
	char key[2][NVDIMM_KEY_MAX];
};

struct nvdimm_security {
	enum nvdimm_state state;
	bool frozen; /* no command about passphrases is accepted until the next reset */
};

/* nvdimm_find() - Return: 0; -EOPNOTSUPP when there is none, with the reason. */
int nvdimm_find(const struct host_root *root, const struct memdev *m, struct nvdimm *ret,
		struct change_result *result);

/*
 * nvdimm_security() - what the driver learned of the device last
 *
 * Return: 0; -EOPNOTSUPP when the device has no such commands; -EBUSY while it is overwritten; the
 * error of the attribute.
 */
int nvdimm_security(const struct host_root *root, const struct nvdimm *n,
		    struct nvdimm_security *ret, struct error *e);

/* Return: "disabled", "unlocked", "locked". */
const char *nvdimm_state_name(enum nvdimm_state state);

/*
 * nvdimm_operate() - have a command sent: "update 123 456"
 * @line: an operation and serial numbers of keys, never a passphrase
 *
 * Return: 0; -ENXIO when the device refuses; the error of the write.
 */
int nvdimm_operate(const struct host_root *root, const struct nvdimm *n, const char *line);

/*
 * nvdimm_rebind() - take the driver from the nvdimm and give it back
 *
 * The driver then searches the keyrings of the calling thread for one of n->key, and unlocks the
 * device.
 *
 * Return: 0, or the error of the second write: it has no driver then.
 */
int nvdimm_rebind(const struct host_root *root, const struct nvdimm *n);

#endif
