// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes as the extended configuration space of a function, with two BARs. Registers that are
// found are in one of them.
#include <sys/mman.h>
#include <unistd.h>

#include "mailbox/switch_locator.h"
#include "sysfs/pci_dvsec.h"
#include "tests/fuzz/fuzz_table.h"

enum { EXTENDED = 0x100, BAR_BYTES = 0x40000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char resource[] = "0xfe800000 0xfe83ffff 0x140204\n"
				       "0x0 0x0 0x0\n"
				       "0xfe880000 0xfe8bffff 0x140204\n";
	const size_t n = size < PCI_CONFIG_BYTES - EXTENDED ? size : PCI_CONFIG_BYTES - EXTENDED;
	struct switch_location at;
	struct error e = {0};
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("config", MFD_CLOEXEC);
	FUZZ_MUST(fd >= 0 && ftruncate(fd, 0) == 0 && ftruncate(fd, PCI_CONFIG_BYTES) == 0);
	FUZZ_MUST(pwrite(fd, data, n, EXTENDED) == (ssize_t)n);
	if (switch_locate(fd, resource, &at, &e) < 0) {
		FUZZ_MUST(e.text[0]);
		return 0;
	}
	FUZZ_MUST(at.bar == 0 || at.bar == 2);
	FUZZ_MUST(at.offset % SWITCH_BLOCK_ALIGN == 0 && at.offset < BAR_BYTES);
	FUZZ_MUST(at.size > 0 && at.size <= BAR_BYTES - at.offset);
	return 0;
}
