// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/memdev_ioctl.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/cxl_mem.h>

#include "common/array.h"
#include "mailbox/raw_layouts.h"

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
	{0x4303, 18}, /* Get Scan Media Capabilities */
};

uint32_t memdev_command_id(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(memdev_commands); i++)
		if (memdev_commands[i].opcode == opcode)
			return memdev_commands[i].id;
	return 0;
}

/* Commands that change a device, which no reader sends. */
static const struct memdev_change changes[] = {
	{0x4101, 9, 9, "Set Partition Info"},
	{0x4202, 12, 12, "Set Alert Configuration"},
};

const struct memdev_change *memdev_change_of(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		if (changes[i].opcode == opcode)
			return &changes[i];
	return NULL;
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

static int query_commands(int fd, struct cxl_command_info infos[static QUERY_COMMANDS_MAX])
{
	union {
		struct cxl_mem_query_commands head;
		unsigned char bytes[sizeof(struct cxl_mem_query_commands) +
				    QUERY_COMMANDS_MAX * sizeof(struct cxl_command_info)];
	} query = {.head.n_commands = QUERY_COMMANDS_MAX};

	if (ioctl(fd, CXL_MEM_QUERY_COMMANDS, &query) < 0)
		return -errno;
	memcpy(infos, query.bytes + sizeof(query.head),
	       QUERY_COMMANDS_MAX * sizeof(struct cxl_command_info));
	return 0;
}

int memdev_query(int fd, uint32_t *ret)
{
	struct cxl_command_info infos[QUERY_COMMANDS_MAX];
	int r = query_commands(fd, infos);

	if (r == 0)
		*ret = supported_commands(infos, QUERY_COMMANDS_MAX);
	return r;
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

/*
 * The kernel accepts exactly the size that it lists. For Set Partition Info that is 10 bytes, one
 * more than the command has (drivers/cxl/core/mbox.c, since Linux 5.13): the last one is reserved.
 */
static int input_size(int fd, const struct memdev_change *c, uint32_t *ret)
{
	struct cxl_command_info infos[QUERY_COMMANDS_MAX];
	int r = query_commands(fd, infos);

	for (size_t i = 0; r == 0 && i < QUERY_COMMANDS_MAX; i++) {
		if (infos[i].id != c->id)
			continue;
		*ret = infos[i].size_in;
		return *ret < c->length || *ret > MEMDEV_CHANGE_MAX ? -EMSGSIZE : 0;
	}
	return r < 0 ? r : -EOPNOTSUPP;
}

int memdev_send_change(int fd, uint16_t opcode, const uint8_t *input, unsigned int *ret_code)
{
	const struct memdev_change *c = memdev_change_of(opcode);
	uint8_t padded[MEMDEV_CHANGE_MAX] = {0};
	struct cxl_send_command send = {.in.payload = (uintptr_t)padded};
	int r = c ? input_size(fd, c, &send.in.size) : -EOPNOTSUPP;

	if (r < 0)
		return r;
	send.id = c->id;
	memcpy(padded, input, c->length);
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &send) < 0)
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	*ret_code = send.retval;
	return 0;
}

static const struct memdev_raw raw_commands[] = {
	{0x0301, 8, false, "Set Timestamp"},
	{0x4304, SCAN_MEDIA_BYTES, true, "Scan Media"},
	{0x4305, 0, true, "Get Scan Media Results"},
	{0x4700, 0, false, "Get SLD QoS Control"},
	{0x4701, SLD_QOS_BYTES, false, "Set SLD QoS Control"},
};

const struct memdev_raw *memdev_raw_of(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(raw_commands); i++)
		if (raw_commands[i].opcode == opcode)
			return &raw_commands[i];
	return NULL;
}

int memdev_send_raw(int fd, uint16_t opcode, struct memdev_payloads *p, unsigned int *ret_code)
{
	const struct memdev_raw *c = memdev_raw_of(opcode);
	const uint32_t room = p->output ? p->output_len : 0;
	struct cxl_send_command send = {
		.id = CXL_MEM_COMMAND_ID_RAW,
		.raw.opcode = opcode,
		.out = {.size = room, .payload = (uintptr_t)p->output},
	};

	if (!c)
		return -EOPNOTSUPP;
	if (c->length > 0)
		send.in.payload = (uintptr_t)p->input;
	send.in.size = c->length;
	if (ioctl(fd, CXL_MEM_SEND_COMMAND, &send) < 0)
		return -errno;
	p->output_len = send.out.size < room ? send.out.size : room;
	*ret_code = send.retval;
	return 0;
}
