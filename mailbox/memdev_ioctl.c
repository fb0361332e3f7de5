// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/memdev_ioctl.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/cxl_mem.h>

#include "common/array.h"

/* Linux 7.3 has 25 commands, and lists them in the order of their ids. */
enum { QUERY_COMMANDS_MAX = 32 };

/* struct cxl_command_info, flags; since Linux 6.3 */
#define COMMAND_ENABLED (1U << 0)

/*
 * The ids are those of include/uapi/linux/cxl_mem.h, which never change; by number, because the
 * names are an enum there, in which the headers of Linux 6.1 lack the later ones.
 */
static const struct {
	uint16_t opcode;
	uint32_t id;
} memdev_commands[] = {
	{0x0200, 4},  /* Get FW Info */
	{0x0300, 21}, /* Get Timestamp, since Linux 6.3 */
	{0x0402, 22}, /* Get Log Capabilities, since Linux 6.11 */
	{0x4000, 1},  /* Identify Memory Device */
	{0x4100, 5},  /* Get Partition Info */
	{0x4200, 7},  /* Get Health Info */
	{0x4201, 11}, /* Get Alert Configuration */
	{0x4203, 13}, /* Get Shutdown State */
};

uint32_t memdev_command_id(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(memdev_commands); i++)
		if (memdev_commands[i].opcode == opcode)
			return memdev_commands[i].id;
	return 0;
}

static uint32_t supported_commands(const struct cxl_command_info *infos, size_t n)
{
	uint32_t known = 0, enabled = 0;

	for (size_t i = 0; i < n; i++) {
		if (infos[i].id == 0 || infos[i].id >= 32)
			continue;
		known |= 1U << infos[i].id;
		if (infos[i].flags & COMMAND_ENABLED)
			enabled |= 1U << infos[i].id;
	}
	return enabled ? enabled : known;
}

int memdev_query(int fd, uint32_t *ret)
{
	union {
		struct cxl_mem_query_commands head;
		unsigned char bytes[sizeof(struct cxl_mem_query_commands) +
				    QUERY_COMMANDS_MAX * sizeof(struct cxl_command_info)];
	} query = {.head.n_commands = QUERY_COMMANDS_MAX};
	struct cxl_command_info infos[QUERY_COMMANDS_MAX];

	if (ioctl(fd, CXL_MEM_QUERY_COMMANDS, &query) < 0)
		return -errno;
	memcpy(infos, query.bytes + sizeof(query.head), sizeof(infos));
	*ret = supported_commands(infos, QUERY_COMMANDS_MAX);
	return 0;
}

int memdev_send(int fd, const struct mailbox_command *command, uint8_t *output,
		unsigned int *ret_code)
{
	struct cxl_send_command send = {
		.id = memdev_command_id(command->opcode),
		.in = {.size = command->input_len, .payload = (uintptr_t)command->input},
		.out = {.size = MAILBOX_OUTPUT_MAX, .payload = (uintptr_t)output},
	};

	if (send.id == 0)
		return -EOPNOTSUPP;
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &send) < 0)
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	*ret_code = send.retval;
	return send.out.size > INT_MAX ? -EMSGSIZE : (int)send.out.size;
}
