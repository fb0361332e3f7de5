// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/fmapi_commands.h"

#include "common/array.h"
#include "mailbox/fmapi.h"

enum {
	AT_SWITCH = 1 << CCI_SWITCH,
	AT_PORT = 1 << CCI_PORT,
	AT_LD = 1 << CCI_LD,

	COUNT_MAX = 255, /* of a list whose length is one byte */
	ALLOCATION_LEN = 16,
	DC_REQUEST_HEAD = 32,
	EXTENT_LEN = 40,
	DC_REQUEST_MAX =
		DC_REQUEST_HEAD + COUNT_MAX * EXTENT_LEN, /* longer than any mailbox here */
};

/* CXL 3.2 8.2.10.1, 8.2.10.2, 7.6.7 */
static const struct fmapi_command commands[] = {
	{FMAPI_IDENTIFY, "Identify", AT_SWITCH | AT_PORT | AT_LD, 0, 0, false},
	{FMAPI_BACKGROUND_STATUS, "Background Operation Status", AT_SWITCH, 0, 0, false},
	{FMAPI_GET_EVENT_RECORDS, "Get Event Records", AT_SWITCH, 1, 1, false},
	{FMAPI_IDENTIFY_SWITCH, "Identify Switch Device", AT_SWITCH, 0, 0, false},
	{FMAPI_GET_PORT_STATE, "Get Physical Port State", AT_SWITCH, 2, 1 + COUNT_MAX, false},
	{FMAPI_PORT_CONTROL, "Physical Port Control", AT_SWITCH, 2, 2, true},
	{FMAPI_GET_VCS_INFO, "Get Virtual CXL Switch Info", AT_SWITCH, 4, 3 + COUNT_MAX, false},
	{FMAPI_BIND_VPPB, "Bind vPPB", AT_SWITCH, 6, 6, true},
	{FMAPI_UNBIND_VPPB, "Unbind vPPB", AT_SWITCH, 3, 3, true},
	{FMAPI_GENERATE_AER, "Generate AER Event", AT_SWITCH, 40, 40, true},
	{FMAPI_GET_LD_INFO, "Get LD Info", AT_PORT, 0, 0, false},
	{FMAPI_GET_LD_ALLOCATIONS, "Get LD Allocations", AT_PORT, 2, 2, false},
	{FMAPI_SET_LD_ALLOCATIONS, "Set LD Allocations", AT_PORT, 4 + ALLOCATION_LEN,
	 4 + ALLOCATION_LEN *COUNT_MAX, true},
	{FMAPI_GET_QOS_CONTROL, "Get QoS Control", AT_PORT, 0, 0, false},
	{FMAPI_SET_QOS_CONTROL, "Set QoS Control", AT_PORT, 7, 7, true},
	{FMAPI_GET_QOS_STATUS, "Get QoS Status", AT_PORT, 0, 0, false},
	{FMAPI_GET_QOS_ALLOCATED_BW, "Get QoS Allocated BW", AT_PORT, 2, 2, false},
	{FMAPI_SET_QOS_ALLOCATED_BW, "Set QoS Allocated BW", AT_PORT, 3, 2 + COUNT_MAX, true},
	{FMAPI_GET_QOS_BW_LIMIT, "Get QoS BW Limit", AT_PORT, 2, 2, false},
	{FMAPI_SET_QOS_BW_LIMIT, "Set QoS BW Limit", AT_PORT, 3, 2 + COUNT_MAX, true},
	{FMAPI_GET_DCD_INFO, "Get DCD Info", AT_PORT, 0, 0, false},
	{FMAPI_GET_DC_REGIONS, "Get Host DC Region Configuration", AT_PORT, 4, 4, false},
	{FMAPI_SET_DC_REGION, "Set DC Region Configuration", AT_PORT, 16, 16, true},
	{FMAPI_GET_EXTENTS, "Get DC Region Extent Lists", AT_PORT, 12, 12, false},
	{FMAPI_DC_ADD, "Initiate Dynamic Capacity Add", AT_PORT, DC_REQUEST_HEAD, DC_REQUEST_MAX,
	 true},
	{FMAPI_DC_RELEASE, "Initiate Dynamic Capacity Release", AT_PORT, DC_REQUEST_HEAD,
	 DC_REQUEST_MAX, true},
};

const struct fmapi_command *fmapi_commands(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(commands);
	return commands;
}

static const struct fmapi_command *find_opcode(uint16_t opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].opcode == opcode)
			return &commands[i];
	return NULL;
}

const struct fmapi_command *fmapi_command_find(uint16_t opcode, enum cci_target_kind target)
{
	const struct fmapi_command *c = find_opcode(opcode);

	/* The target may come from the peer of a socket. */
	return c && target <= CCI_LD && c->targets >> target & 1 ? c : NULL;
}

const char *fmapi_command_title(uint16_t opcode)
{
	const struct fmapi_command *c = find_opcode(opcode);

	if (opcode == FMAPI_TUNNEL)
		return "Tunnel Management Command";
	return c ? c->title : "an unknown command";
}

bool fmapi_command_accepts(const struct fmapi_command *c, size_t len)
{
	return len >= c->input_min && len <= c->input_max;
}
