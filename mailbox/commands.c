// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/command.h"

#include "common/array.h"
#include "mailbox/decode.h"

/*
 * DSP0288 maps "persistent across cold reset" to the one LogService of a memory device, whose
 * entries are event records. But this flag belongs to the logs that Get Log reads, and the event
 * logs are not among them: no UUID names them. So the flag is read of the logs in which a device
 * records its own history, and not of the Command Effects Log and the media test logs, which a
 * client does not expect behind a LogService. It is known only when all of these logs agree.
 */
static const uint8_t vendor_debug_log[] = {0x5e, 0x18, 0x19, 0xd9, 0x11, 0xa9, 0x40, 0x0c,
					   0x81, 0x1f, 0xd6, 0x07, 0x19, 0x40, 0x3d, 0x86};
static const uint8_t state_dump_log[] = {0xb3, 0xfa, 0xb4, 0xcf, 0x01, 0xb6, 0x43, 0x32,
					 0x94, 0x3e, 0x5e, 0x99, 0x62, 0xf2, 0x35, 0x67};

static const struct mailbox_command commands[] = {
	{
		.name = "identify",
		.title = "Identify Memory Device",
		.opcode = 0x4000,
		.length = 67,
		.decode = mailbox_decode_identify,
	},
	{
		.name = "partition_info",
		.title = "Get Partition Info",
		.opcode = 0x4100,
		.length = 32,
		.decode = mailbox_decode_partition_info,
	},
	{
		.name = "health_info",
		.title = "Get Health Info",
		.opcode = 0x4200,
		.length = 18,
		.decode = mailbox_decode_health_info,
	},
	{
		.name = "alert_config",
		.title = "Get Alert Configuration",
		.opcode = 0x4201,
		.length = 16,
		.decode = mailbox_decode_alert_config,
	},
	{
		.name = "fw_info",
		.title = "Get FW Info",
		.opcode = 0x0200,
		.length = 80,
		.decode = mailbox_decode_fw_info,
	},
	{
		.name = "timestamp",
		.title = "Get Timestamp",
		.opcode = 0x0300,
		.length = 8,
		.decode = mailbox_decode_timestamp,
	},
	{
		.name = "vendor_debug_log_capabilities",
		.title = "Get Log Capabilities of the Vendor Debug Log",
		.opcode = 0x0402,
		.input = vendor_debug_log,
		.input_len = sizeof(vendor_debug_log),
		.length = 4,
		.decode = mailbox_decode_vendor_debug_log,
	},
	{
		.name = "component_state_dump_capabilities",
		.title = "Get Log Capabilities of the Component State Dump Log",
		.opcode = 0x0402,
		.input = state_dump_log,
		.input_len = sizeof(state_dump_log),
		.length = 4,
		.decode = mailbox_decode_state_dump_log,
	},
	{
		.name = "shutdown_state",
		.title = "Get Shutdown State",
		.opcode = 0x4203,
		.length = 1,
		.decode = mailbox_decode_shutdown_state,
	},
};

_Static_assert(ARRAY_SIZE(commands) <= MAILBOX_COMMANDS_MAX, "buffers are made for so many");

const struct mailbox_command *mailbox_commands(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(commands);
	return commands;
}

const char *mailbox_return_code_name(unsigned int code)
{
	/* CXL 3.2 8.2.9.4.5.1, from 0000h on */
	static const char *const names[] = {
		"Success",
		"Background Command Started",
		"Invalid Input",
		"Unsupported",
		"Internal Error",
		"Retry Required",
		"Busy",
		"Media Disabled",
		"FW Transfer in Progress",
		"FW Transfer Out of Order",
		"FW Verification Failed",
		"Invalid Slot",
		"Activation Failed, FW Rolled Back",
		"Activation Failed, Cold Reset Required",
		"Invalid Handle",
		"Invalid Physical Address",
		"Inject Poison Limit Reached",
		"Permanent Media Failure",
		"Aborted",
		"Invalid Security State",
		"Incorrect Passphrase",
		"Unsupported Mailbox or CCI",
		"Invalid Payload Length",
		"Invalid Log",
		"Interrupted",
		"Unsupported Feature Version",
		"Unsupported Feature Selection Value",
		"Feature Transfer in Progress",
		"Feature Transfer Out of Order",
		"Resources Exhausted",
		"Invalid Extent List",
		"Transfer Out of Order",
		"Request Abort Not Supported by Background Operation",
	};

	return code < ARRAY_SIZE(names) ? names[code] : "a reserved return code";
}
