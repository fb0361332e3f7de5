// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/slot_light.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/attr.h"

#define SLOTS "/sys/bus/pci/slots/"

bool slot_light_path(const struct memdev *m, char ret[static SLOT_LIGHT_PATH_MAX])
{
	const int n = m->slot && m->slot_has_light
			      ? snprintf(ret, SLOT_LIGHT_PATH_MAX, SLOTS "%s/attention", m->slot)
			      : -1;

	return n > 0 && n < SLOT_LIGHT_PATH_MAX;
}

struct opt_bool slot_light_read(const struct memdev *m, struct read_notes *notes)
{
	char path[SLOT_LIGHT_PATH_MAX], text[ATTR_BYTES_MAX + 1];
	_cleanup_close_ int fd = -1;

	if (!slot_light_path(m, path))
		return (struct opt_bool){0};
	*strrchr(path, '/') = '\0';
	fd = attr_open_dir(AT_FDCWD, path);
	if (fd < 0 ||
	    attr_read_text(&(struct attr_dir){fd, "slot", m->slot, notes}, "attention", text) < 0)
		return (struct opt_bool){0};
	if (str_equal(text, SLOT_LIGHT_OFF))
		return OPT_BOOL(false);
	return str_equal(text, "1") || str_equal(text, SLOT_LIGHT_BLINKS) ? OPT_BOOL(true)
									  : (struct opt_bool){0};
}
