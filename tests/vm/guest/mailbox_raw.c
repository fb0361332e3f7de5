// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sends a raw command to a memory device and writes its output in hexadecimal:
 *
 *	mailbox_raw MEMDEV OPCODE SIZE [INPUT]
 *
 * OPCODE and INPUT are hexadecimal, INPUT without spaces; SIZE is that of the output. Exit status 1 with the return code of
 * the device, as a number, when it is not success. The kernel must allow raw commands, and those
 * that it reserves for itself by /sys/kernel/debug/cxl/mbox/raw_allow_all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/cxl_mem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PAYLOAD_MAX = 4096 };

static int fail(const char *what)
{
	fprintf(stderr, "mailbox_raw: %s: %s\n", what, strerror(errno));
	return 1;
}

static int read_input(const char *text, uint8_t *input, uint32_t *ret_size)
{
	size_t n = strlen(text) / 2;
	unsigned int byte;

	if (n > PAYLOAD_MAX || strlen(text) % 2 != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (sscanf(text + 2 * i, "%2x", &byte) != 1)
			return -1;
		input[i] = (uint8_t)byte;
	}
	*ret_size = (uint32_t)n;
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t input[PAYLOAD_MAX], output[PAYLOAD_MAX];
	struct cxl_send_command command = {.id = CXL_MEM_COMMAND_ID_RAW};
	char path[64];
	int fd;

	if (argc > 3)
		command.out.size = (uint32_t)strtoul(argv[3], NULL, 0);
	if (argc < 4 || argc > 5 || command.out.size > sizeof(output) ||
	    (argc == 5 && read_input(argv[4], input, &command.in.size) != 0)) {
		fprintf(stderr, "usage: mailbox_raw MEMDEV OPCODE SIZE [INPUT]\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/dev/cxl/%s", argv[1]);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fail(path);
	command.raw.opcode = (uint16_t)strtoul(argv[2], NULL, 16);
	command.in.payload = (uintptr_t)input;
	command.out.payload = (uintptr_t)output;
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &command) != 0)
		return fail("CXL_MEM_SEND_COMMAND");
	if (command.retval != 0) {
		printf("%u\n", command.retval);
		return 1;
	}
	for (uint32_t i = 0; i < command.out.size && i < sizeof(output); i++)
		printf("%02x", output[i]);
	printf("\n");
	return 0;
}
