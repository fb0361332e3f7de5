// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The kernel's words for the enumerations of a snapshot.
#include "sysfs/host.h"

const char *decoder_mode_name(enum decoder_mode mode)
{
	static const char *const names[] = {
		[DECODER_MODE_NONE] = "none",
		[DECODER_MODE_RAM] = "ram",
		[DECODER_MODE_PMEM] = "pmem",
		[DECODER_MODE_MIXED] = "mixed",
	};

	return names[mode];
}

const char *port_kind_name(enum port_kind kind)
{
	static const char *const names[] = {
		[PORT_ROOT] = "root",
		[PORT_HOST_BRIDGE] = "host bridge",
		[PORT_SWITCH] = "switch",
		[PORT_ENDPOINT] = "endpoint",
	};

	return names[kind];
}

const char *dax_mode_name(enum dax_mode mode)
{
	static const char *const names[] = {
		[DAX_MODE_UNKNOWN] = "unknown",
		[DAX_MODE_DEVDAX] = "devdax",
		[DAX_MODE_SYSTEM_RAM] = "system-ram",
	};

	return names[mode];
}
