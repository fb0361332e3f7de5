/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines that rule and prm_ioctl read and write: "0000:0d:00.0 0x100". */
#ifndef VM_GUEST_ADDRESS_H
#define VM_GUEST_ADDRESS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct address {
	char bdf[16];
	uint64_t value;
};

/** read_address() - the next line of @input; 0 at its end. Ends the program at a bad line. */
static inline int read_address(FILE *input, struct address *ret)
{
	char line[128];
	char after;

	if (fgets(line, sizeof(line), input) == NULL)
		return 0;
	if (sscanf(line, "%15s %" SCNi64 " %c", ret->bdf, (int64_t *)&ret->value, &after) == 2)
		return 1;
	fprintf(stderr, "not \"BDF ADDRESS\": %s", line);
	exit(2);
}

#endif
