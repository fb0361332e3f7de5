// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/link_state.h"

#include <stddef.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/attr.h"

static const struct attr_field fields[] = {
	{"current_link_speed", ATTR_TEXT, offsetof(struct pci_function, current_link_speed)},
	{"current_link_width", ATTR_LANES, offsetof(struct pci_function, current_link_width)},
};

void link_state_read(const char *bdf, struct read_notes *notes, struct pci_function *ret)
{
	_cleanup_close_ int fd = attr_open_pci(bdf);

	*ret = (struct pci_function){0};
	if (fd < 0)
		return;
	attr_read_all(&(struct attr_dir){fd, "PCI function", bdf, notes}, fields,
		      ARRAY_SIZE(fields), ret);
}
