// SPDX-License-Identifier: LGPL-2.1-or-later
/* Properties of a switch, its ports and its virtual switches that its mailbox reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/view/view.h"
#include "tests/lib/remote_fixture.h"
#include "tests/lib/suites.h"

#define MODULE	      ROOT "/Chassis/switch-0000-0d-00.0"
#define DEVICE_OF     MODULE "/PCIeDevices/1"
#define UP	      SWITCH "/Ports/U1"
#define WHOLE	      SWITCH "/Ports/D1" /* port 1, vPPB 1 */
#define PORT_OF_MLD   SWITCH "/Ports/P2"
#define PORT_OF_OTHER SWITCH "/Ports/P8"
#define OWN	      SWITCH "/VCSs/0"
#define SEEN_T	      FABRIC "/Endpoints/T-cxl-00000000000011d0"
#define OF_OTHER      SWITCH "/VCSs/1"

/* As JSON; NULL: absent. */
struct expectation {
	const char *uri, *path, *json;
};

static void expect_json(const struct expectation *e)
{
	char *text;

	ck_assert_msg(get(&f, e->uri) == 200, "%s: status %u", e->uri, f.res.status);
	text = json_dumps(value_at(&f, e->path), JSON_ENCODE_ANY | JSON_COMPACT);
	ck_assert_msg(e->json ? str_equal(text, e->json) : !text, "%s: %s is %s", e->uri, e->path,
		      text ? text : "absent");
	free(text);
}

static void expect_all(const struct expectation *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_json(&list[i]);
}

#define EXPECT(...)                                                                                \
	do {                                                                                       \
		const struct expectation list_[] = {__VA_ARGS__};                                  \
		expect_all(list_, ARRAY_SIZE(list_));                                              \
	} while (0)

static struct fmapi_port *state(size_t i)
{
	return &remote.sw->ports[i].state;
}

static void without_mailbox(void)
{
	f.switches = NULL;
	fixture_ready(&f);
	f.switches = remote.readings;
}

/* A mailbox that is no function of a device of the host. */
static void elsewhere(void)
{
	remote.sw->name = "0000:44:00.0";
	fixture_ready(&f);
}

#define ALONE FABRIC "/Switches/switch-0000000000005001"

/* ---- switches ---------------------------------------------------------------------------------
 */

START_TEST(a_switch_has_what_its_mailbox_says)
{
	fixture_ready(&f);
	EXPECT({SWITCH, "SwitchType", "\"CXL\""}, {SWITCH, "CXL/MaxVCSsSupported", "2"},
	       {SWITCH, "CXL/TotalNumbervPPBs", "12"}, {SWITCH, "CXL/NumberOfBoundvPPBs", "3"},
	       {SWITCH, "CXL/TotalHDMDecoders", "4"}, {SWITCH, "CXL/VCS/HDMDecoders", "4"},
	       {SWITCH, "CXL/VirtualCXLSwitches/@odata.id", "\"" SWITCH "/VCSs\""},
	       {SWITCH, "SerialNumber", "\"0000000000005001\""}, {SWITCH, "Manufacturer", NULL},
	       {SWITCH, "Model", NULL}, {SWITCH, "PartNumber", NULL},
	       {SWITCH, "Status", "{\"State\":\"Disabled\",\"Health\":\"OK\"}"},
	       {SWITCH, "Oem/CXLHost/Mailbox/Source", "\"mailbox\""},
	       {SWITCH, "Oem/CXLHost/Mailbox/Origin", NULL},
	       {SWITCH, "Oem/CXLHost/Mailbox/KernelName", "\"0000:0d:00.1\""},
	       {SWITCH, "Oem/CXLHost/Mailbox/VendorId", "\"0x19e5\""},
	       {SWITCH, "Oem/CXLHost/Mailbox/SubsystemId", NULL},
	       {SWITCH, "Oem/CXLHost/Mailbox/PhysicalPorts", "5"},
	       {SWITCH, "Oem/CXLHost/Mailbox/IngressPortId", "0"},
	       {SWITCH, "Oem/CXLHost/KernelName", "\"port7\""},
	       {SWITCH, "Oem/CXLHost/HostView", NULL});
}
END_TEST

START_TEST(a_switch_without_mailbox_has_nothing_of_it)
{
	without_mailbox();
	EXPECT({SWITCH, "SwitchType", "\"CXL\""}, {SWITCH, "CXL", NULL},
	       {SWITCH, "SerialNumber", NULL}, {SWITCH, "Links/Chassis", NULL},
	       {SWITCH, "Links/PCIeDevice", NULL}, {SWITCH, "Oem/CXLHost/Mailbox", NULL},
	       {SWITCH, "Oem/CXLHost/VendorId", "\"0x19e5\""});
	ck_assert_uint_eq(get(&f, SWITCH "/VCSs"), 404);
	ck_assert_uint_eq(get(&f, MODULE), 404);
}
END_TEST

START_TEST(decoders_that_the_host_counts_otherwise_are_shown_beside)
{
	struct port *kernel = (struct port *)(uintptr_t)remote.below[0]->endpoint->parent;

	kernel->n_decoders = 3;
	fixture_ready(&f);
	EXPECT({SWITCH, "CXL/TotalHDMDecoders", "4"},
	       {SWITCH, "Oem/CXLHost/HostView/TotalHDMDecoders", "3"});
}
END_TEST

START_TEST(recorded_answers_are_called_so)
{
	remote.sw->recorded = true;
	remote.sw->origin = "emulated";
	fixture_ready(&f);
	EXPECT({SWITCH, "Oem/CXLHost/Mailbox/Source", "\"recorded\""},
	       {SWITCH, "Oem/CXLHost/Mailbox/Origin", "\"emulated\""},
	       {WHOLE, "Oem/CXLHost/Mailbox/Source", "\"recorded\""},
	       {OWN, "Oem/CXLHost/Source", "\"recorded\""},
	       {OWN "/VPPBs/1", "Oem/CXLHost/Origin", "\"emulated\""});
}
END_TEST

START_TEST(a_switch_is_linked_with_its_module_and_its_pcie_device)
{
	fixture_ready(&f);
	EXPECT({SWITCH, "Links/Chassis/@odata.id", "\"" MODULE "\""},
	       {SWITCH, "Links/PCIeDevice/@odata.id", "\"" DEVICE_OF "\""},
	       {MODULE, "Links/Switches/0/@odata.id", "\"" SWITCH "\""},
	       {MODULE, "ChassisType", "\"Module\""},
	       {MODULE, "SerialNumber", "\"0000000000005001\""},
	       {MODULE, "Links/ContainedBy", NULL},
	       {DEVICE_OF, "Links/Switch/@odata.id", "\"" SWITCH "\""},
	       {DEVICE_OF, "Links/Chassis/0/@odata.id", "\"" MODULE "\""},
	       {DEVICE_OF, "SerialNumber", "\"0000000000005001\""},
	       {DEVICE_OF, "DeviceType", "\"MultiFunction\""});
	ck_assert_uint_eq(members(DEVICE_OF "/PCIeFunctions"), 2);
	EXPECT({DEVICE_OF "/PCIeFunctions/1", "BusNumber", "\"0x0d\""},
	       {DEVICE_OF "/PCIeFunctions/1", "FunctionNumber", "\"0x1\""},
	       {DEVICE_OF "/PCIeFunctions/1", "ClassCode", "\"0x0c0b00\""},
	       {DEVICE_OF "/PCIeFunctions/0", "ClassCode", "\"0x060400\""},
	       {DEVICE_OF "/PCIeFunctions/0", "DeviceClass", "\"Bridge\""},
	       {DEVICE_OF "/PCIeFunctions/0", "VendorId", "\"0x19e5\""});
}
END_TEST

START_TEST(a_switch_that_only_its_mailbox_shows_is_complete)
{
	elsewhere();
	EXPECT({ALONE, "Name", "\"Switch 0000:44:00.0\""}, {ALONE, "Enabled", NULL},
	       {ALONE, "Status/State", "\"Enabled\""}, {ALONE, "Status/Health", "\"OK\""},
	       /* A device there has the serial number of one of the host. */
	       {ALONE, "Status/Conditions/0/MessageId", "\"CXLHost.1.0.SwitchDoubt\""},
	       {ALONE, "Status/Conditions/0/MessageArgs/0", "\"mem4\""},
	       {ALONE, "CXL/TotalHDMDecoders", "4"}, {ALONE, "Oem/CXLHost/KernelName", NULL},
	       {ROOT "/Chassis/switch-0000000000005001/PCIeDevices/1", "DeviceType", NULL},
	       {ALONE "/Ports/P0", "PortType", "\"UpstreamPort\""},
	       /* In L2, but commands come through it. */
	       {ALONE "/Ports/P0", "LinkStatus", "\"LinkUp\""},
	       {ALONE "/Ports/P8", "LinkStatus", "\"LinkDown\""},
	       {ALONE "/Ports/P0", "CXL/CurrentPortConfigurationState", "\"USP\""},
	       {ALONE "/VCSs/0", "Links/Port/@odata.id", "\"" ALONE "/Ports/P0\""},
	       {ALONE "/VCSs/0/VPPBs/1", "Oem/CXLHost/HostPort", NULL});
	ck_assert_uint_eq(members(ALONE "/Ports"), 5);
	ck_assert_uint_eq(
		get(&f, ROOT "/Chassis/switch-0000000000005001/PCIeDevices/1/PCIeFunctions/0"),
		200);
}
END_TEST

START_TEST(a_mailbox_that_does_not_answer_is_a_warning_with_the_reason)
{
	remote.sw->has_identity = remote.sw->has_switch = false;
	remote.sw->n_ports = remote.sw->n_vcs = 0;
	made_note(remote.readings, remote.sw, "the mailbox has not answered within 2 seconds");
	fixture_ready(&f);
	EXPECT({SWITCH, "Status/Health", "\"Warning\""},
	       {SWITCH, "Status/Conditions/0/Severity", "\"Warning\""},
	       {SWITCH, "Status/Conditions/0/MessageId", "\"CXLHost.1.0.SwitchUnreadable\""},
	       {SWITCH, "Status/Conditions/0/MessageArgs/0",
		"\"the mailbox has not answered within 2 seconds\""},
	       {SWITCH, "CXL", NULL}, {SWITCH, "SerialNumber", NULL});
}
END_TEST

START_TEST(a_command_that_failed_is_said_without_a_warning)
{
	remote.sw->n_vcs = 0;
	made_note(remote.readings, remote.sw, "Get Virtual CXL Switch Info: Unsupported");
	fixture_ready(&f);
	EXPECT({SWITCH, "Status/Health", NULL}, {SWITCH, "Status/Conditions/0/Severity", "\"OK\""},
	       {SWITCH, "CXL/VirtualCXLSwitches", NULL}, {SWITCH, "CXL/MaxVCSsSupported", "2"});
	ck_assert_uint_eq(get(&f, SWITCH "/VCSs"), 404);
}
END_TEST

START_TEST(numbers_of_pci_that_are_not_set_name_nothing)
{
	struct port *kernel = (struct port *)(uintptr_t)remote.below[0]->endpoint->parent;

	kernel->pci = NULL;
	remote.sw->identity.vendor = (uint16_t)(_i == 0 ? 0 : 0xffff);
	remote.sw->identity.serial = 0;
	fixture_ready(&f);
	EXPECT({SWITCH, "Manufacturer", NULL}, {SWITCH, "Model", NULL},
	       {SWITCH, "SerialNumber", NULL}, {SWITCH, "Oem/CXLHost/Mailbox/VendorId", NULL});
}
END_TEST

/* ---- ports ------------------------------------------------------------------------------------
 */

START_TEST(a_port_has_the_values_of_the_physical_port)
{
	fixture_ready(&f);
	EXPECT({WHOLE, "CXL/CurrentPortConfigurationState", "\"DSP\""},
	       {WHOLE, "CXL/ConnectedDeviceMode", "\"CXL68BFlitAndVH\""},
	       {WHOLE, "CXL/ConnectedDeviceType", "\"Type3SLD\""},
	       {WHOLE, "CXL/SupportedCXLModes", "[\"CXL68BFlitAndVH\",\"Standard256BFlit\"]"},
	       {WHOLE, "CXL/MaxLogicalDeviceCount", "0"}, {WHOLE, "ActiveWidth", "8"},
	       {WHOLE, "Width", "16"},
	       {WHOLE, "LinkConfiguration/0/CapableLinkSpeedGbps", "[40,80,128,256,512]"},
	       {WHOLE, "MaxSpeedGbps", "512"}, {WHOLE, "CurrentSpeedGbps", "128"},
	       {WHOLE, "LinkState", "\"Enabled\""}, {WHOLE, "LinkStatus", "\"LinkUp\""},
	       {WHOLE, "PortId", "\"PCIe port number 1\""},
	       {WHOLE, "Oem/CXLHost/Mailbox/PortId", "1"},
	       {WHOLE, "Oem/CXLHost/Mailbox/LTSSMState", "\"L2\""},
	       {WHOLE, "Oem/CXLHost/Mailbox/PresenceDetected", "true"},
	       {WHOLE, "Oem/CXLHost/Mailbox/PERSTAsserted", "false"},
	       {WHOLE, "Oem/CXLHost/VPPB/@odata.id", "\"" OWN "/VPPBs/1\""},
	       {UP, "CXL/CurrentPortConfigurationState", "\"USP\""},
	       {UP, "CXL/ConnectedDeviceMode", NULL}, {UP, "CXL/ConnectedDeviceType", NULL},
	       {UP, "Oem/CXLHost/VPPB/@odata.id", "\"" OWN "/VPPBs/0\""});
}
END_TEST

START_TEST(what_differs_for_the_host_is_shown_beside)
{
	fixture_ready(&f);
	/* Four lanes, as made_bridges() has them. */
	EXPECT({WHOLE, "Oem/CXLHost/HostView", "{\"CurrentSpeedGbps\":64,\"ActiveWidth\":4}"});
	state(1)->width = 4;
	fixture_ready(&f);
	EXPECT({WHOLE, "ActiveWidth", "4"}, {WHOLE, "Oem/CXLHost/HostView", NULL});
}
END_TEST

START_TEST(a_port_without_mailbox_has_what_the_host_knows)
{
	without_mailbox();
	EXPECT({WHOLE, "ActiveWidth", "4"}, {WHOLE, "CurrentSpeedGbps", "64"},
	       {WHOLE, "MaxSpeedGbps", "512"}, {WHOLE, "CXL/MaxLogicalDeviceCount", NULL},
	       {WHOLE, "CXL/ConnectedDeviceType", NULL}, {WHOLE, "LinkState", NULL},
	       {WHOLE, "CXL/CurrentPortConfigurationState", "\"DSP\""},
	       {WHOLE, "Oem/CXLHost/Mailbox", NULL}, {WHOLE, "Oem/CXLHost/VPPB", NULL});
	ck_assert_uint_eq(get(&f, PORT_OF_MLD), 404);
}
END_TEST

START_TEST(a_port_that_is_no_bridge_of_the_host_is_shown_by_its_number)
{
	state(2)->additional_lds = 15;
	fixture_ready(&f);
	EXPECT({PORT_OF_MLD, "PortId", "\"switch port 2\""},
	       {PORT_OF_MLD, "PortType", "\"DownstreamPort\""},
	       {PORT_OF_MLD, "PortProtocol", "\"CXL\""},
	       {PORT_OF_MLD, "CXL/ConnectedDeviceType", "\"Type3MLD\""},
	       {PORT_OF_MLD, "CXL/MaxLogicalDeviceCount", "15"}, {PORT_OF_MLD, "Metrics", NULL},
	       {PORT_OF_MLD, "Oem/CXLHost/KernelName", NULL},
	       {PORT_OF_MLD, "Links/ConnectedPorts/0/@odata.id", "\"" MLD_PORT "\""},
	       {PORT_OF_OTHER, "PortType", "\"UpstreamPort\""});
}
END_TEST

START_TEST(a_vppb_that_is_no_physical_port_is_no_port)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SWITCH "/Ports/D2"), 404);
	ck_assert_uint_eq(get(&f, SWITCH "/Ports/D2/Metrics"), 404);
	ck_assert_uint_eq(members(SWITCH "/Ports"), remote.sw->n_ports);
	EXPECT({OWN "/VPPBs/2", "Oem/CXLHost/KernelName", "\"0000:0e:01.0\""},
	       {OWN "/VPPBs/2", "Oem/CXLHost/HostPort", NULL});
	/* Nor when it is bound to nothing, or to a port that does not exist. */
	remote.own->vppbs[2].binding = FMAPI_UNBOUND;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH "/Ports"), remote.sw->n_ports);
	remote.own->vppbs[2] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = 99};
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH "/Ports"), remote.sw->n_ports);
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

/* The properties of a link in each state, with and without a device. */
static const struct {
	uint8_t ltssm;
	const char *status;
	bool is_up;
} link_states[] = {
	{0, "\"NoLink\"", false},    {1, "\"Training\"", false}, {2, "\"Training\"", false},
	{3, "\"LinkUp\"", true},     {4, "\"LinkUp\"", true},	 {5, "\"LinkUp\"", true},
	{6, "\"LinkUp\"", true},     {8, "\"LinkDown\"", false}, {9, "\"LinkDown\"", false},
	{10, "\"LinkDown\"", false}, {7, "\"LinkUp\"", true}, /* as QEMU reports it */
	{77, "\"LinkUp\"", true},
};

START_TEST(a_link_that_is_down_has_neither_width_nor_speed)
{
	state(1)->ltssm = link_states[_i].ltssm;
	fixture_ready(&f);
	EXPECT({WHOLE, "LinkStatus", link_states[_i].status},
	       {WHOLE, "ActiveWidth", link_states[_i].is_up ? "8" : NULL},
	       {WHOLE, "CurrentSpeedGbps", link_states[_i].is_up ? "128" : NULL},
	       {WHOLE, "MaxSpeedGbps", "512"},
	       {WHOLE, "Oem/CXLHost/Mailbox/FirstLane", link_states[_i].is_up ? "0" : NULL},
	       {WHOLE, "LinkState", state(1)->ltssm == 8 ? "\"Disabled\"" : "\"Enabled\""});
}
END_TEST

START_TEST(a_link_without_power_and_device_is_down)
{
	state(3)->device_type = FMAPI_DEVICE_NONE;
	state(3)->device_mode = FMAPI_MODE_DISCONNECTED;
	remote.sw->ports[3].device = NULL;
	fixture_ready(&f);
	EXPECT({SWITCH "/Ports/P3", "LinkStatus", "\"LinkDown\""},
	       {SWITCH "/Ports/P3", "ActiveWidth", NULL},
	       {SWITCH "/Ports/P3", "PortProtocol", NULL},
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceType", "\"None\""},
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceMode", "\"Disconnected\""});
}
END_TEST

START_TEST(a_port_in_reset_has_no_link)
{
	state(1)->ltssm = 4;
	state(1)->link_flags = FMAPI_LINK_PERST | FMAPI_LINK_POWER_OFF;
	fixture_ready(&f);
	EXPECT({WHOLE, "LinkStatus", "\"LinkDown\""}, {WHOLE, "ActiveWidth", NULL},
	       {WHOLE, "Oem/CXLHost/Mailbox/PERSTAsserted", "true"},
	       {WHOLE, "Oem/CXLHost/Mailbox/PoweredOff", "true"},
	       {WHOLE, "Oem/CXLHost/Mailbox/PresenceDetected", "false"});
}
END_TEST

static void make_all_links_fast(void)
{
	for (size_t i = 0; i < remote.sw->n_ports; i++) {
		state(i)->ltssm = FMAPI_LTSSM_L0;
		state(i)->width = state(i)->max_width;
		state(i)->speed = state(i)->max_speed;
	}
}

#define OF_SLD	 SWITCH "/Ports/P3"
#define SLD_PORT SLD "/FabricAdapters/1/Ports/1"
#define BINDING	 FABRIC "/Connections/switch-0000-0d-00.0-VCS1-vPPB2"
#define ZONE	 FABRIC "/Zones/switch-0000-0d-00.0-VCS1"
#define ONE(uri) uri, "Status/Conditions/0/OriginOfCondition/@odata.id"

START_TEST(links_that_are_as_fast_as_their_ports_are_healthy)
{
	make_all_links_fast();
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status", "{\"State\":\"Enabled\",\"Health\":\"OK\"}"},
	       {SLD_PORT, "Status/Health", "\"OK\""}, {SWITCH, "Status/Health", "\"OK\""},
	       {SWITCH, "Status/HealthRollup", "\"OK\""}, {BINDING, "Status/Health", "\"OK\""},
	       {ZONE, "Status/HealthRollup", "\"OK\""}, {ZONE, "Status/Conditions", NULL});
}
END_TEST

/* The host sees no other end: the port may be as fast as the device allows. */
START_TEST(the_health_of_a_link_whose_other_end_is_not_known_is_not_known)
{
	make_all_links_fast();
	state(3)->width = 4;
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status", "{\"State\":\"Enabled\"}"}, {SLD_PORT, "Status/Health", NULL},
	       {SWITCH, "Status/HealthRollup", NULL}, {BINDING, "Status/Health", NULL},
	       {ZONE, "Status/HealthRollup", NULL});
}
END_TEST

static const struct {
	uint8_t ltssm, flags;
	const char *message;
} bad_links[] = {
	{FMAPI_LTSSM_L0, FMAPI_LINK_PERST, "\"CXLHost.1.0.SwitchPortInReset\""},
	{FMAPI_LTSSM_L0, FMAPI_LINK_POWER_OFF, "\"CXLHost.1.0.SwitchPortPowerOff\""},
	{FMAPI_LTSSM_POLLING, 0, "\"CXLHost.1.0.SwitchPortLinkDown\""},
};

START_TEST(a_bad_link_makes_a_port_and_what_uses_it_unhealthy)
{
	make_all_links_fast();
	state(3)->ltssm = bad_links[_i].ltssm;
	state(3)->link_flags = bad_links[_i].flags;
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status/Health", "\"Warning\""},
	       {OF_SLD, "Status/Conditions/0/MessageId", bad_links[_i].message},
	       {OF_SLD, "Status/Conditions/0/Severity", "\"Warning\""},
	       {SLD_PORT, "Status/Health", "\"Warning\""}, {ONE(SLD_PORT), "\"" OF_SLD "\""},
	       {SWITCH, "Status/Health", "\"OK\""}, {SWITCH, "Status/HealthRollup", "\"Warning\""},
	       {ONE(SWITCH), "\"" OF_SLD "\""}, {FABRIC, "Status/Health", "\"Warning\""},
	       {ONE(FABRIC), "\"" OF_SLD "\""}, {BINDING, "Status/Health", "\"Warning\""},
	       {ONE(BINDING), "\"" OF_SLD "\""}, {ZONE, "Status/HealthRollup", "\"Warning\""},
	       {ONE(ZONE), "\"" OF_SLD "\""}, {PORT_OF_MLD, "Status/Health", "\"OK\""});
}
END_TEST

START_TEST(a_port_without_a_device_has_no_health)
{
	make_all_links_fast();
	state(3)->device_type = FMAPI_DEVICE_NONE;
	state(3)->link_flags = 0;
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status/Health", NULL}, {SWITCH, "Status/HealthRollup", "\"OK\""});
}
END_TEST

/* Ports with nothing there, whose state looks like a link that is down. */
static const struct {
	uint8_t config, modes, ltssm, flags;
} unused_ports[] = {
	{FMAPI_PORT_USP, 4, FMAPI_LTSSM_DETECT, 0},
	{FMAPI_PORT_USP, 4, FMAPI_LTSSM_DETECT, FMAPI_LINK_PERST},
	{FMAPI_PORT_DSP, 0, FMAPI_LTSSM_DETECT, 0},
};

START_TEST(an_unused_port_has_no_health)
{
	make_all_links_fast();
	state(3)->config = unused_ports[_i].config;
	state(3)->supported_modes = unused_ports[_i].modes;
	state(3)->ltssm = unused_ports[_i].ltssm;
	state(3)->link_flags = unused_ports[_i].flags;
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status/Health", NULL}, {OF_SLD, "Status/Conditions", NULL},
	       {SWITCH, "Status/HealthRollup", "\"OK\""});
}
END_TEST

START_TEST(a_link_that_is_disabled_is_no_fault)
{
	make_all_links_fast();
	state(3)->ltssm = FMAPI_LTSSM_DISABLED;
	fixture_ready(&f);
	EXPECT({OF_SLD, "Status/Health", NULL}, {OF_SLD, "Status/Conditions", NULL},
	       {FABRIC, "Status/Conditions", NULL});
}
END_TEST

/* Its training is in L2, which means that it is up only because of the device there. */
START_TEST(a_port_that_is_powered_off_has_no_link)
{
	state(1)->ltssm = 7;
	state(1)->link_flags = FMAPI_LINK_PRESENT | FMAPI_LINK_POWER_OFF;
	fixture_ready(&f);
	EXPECT({WHOLE, "LinkStatus", "\"LinkDown\""}, {WHOLE, "ActiveWidth", NULL},
	       {WHOLE, "Oem/CXLHost/Mailbox/PoweredOff", "true"});
}
END_TEST

START_TEST(the_state_of_a_port_is_named_as_in_the_schema)
{
	static const char *const names[] = {
		"\"Disabled\"",
		"\"BindInProgress\"",
		"\"UnbindInProgress\"",
		"\"DSP\"",
		"\"USP\"",
		"\"FabricLink\"",
		NULL,
	};

	state(3)->config = (uint8_t)_i;
	fixture_ready(&f);
	EXPECT({SWITCH "/Ports/P3", "CXL/CurrentPortConfigurationState", names[_i]},
	       {SWITCH "/Ports/P3", "Status/State", _i == 0 ? "\"Disabled\"" : "\"Enabled\""},
	       {SWITCH "/Ports/P3", "LinkState", _i == 0 ? "\"Disabled\"" : "\"Enabled\""},
	       /* Reserved in the other states. */
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceMode",
		_i == FMAPI_PORT_DSP ? "\"CXL68BFlitAndVH\"" : NULL},
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceType",
		_i == FMAPI_PORT_DSP || _i == FMAPI_PORT_FABRIC ? "\"Type3SLD\"" : NULL});
}
END_TEST

START_TEST(the_device_on_a_port_is_named_as_in_the_schema)
{
	static const char *const types[] = {
		"\"None\"",	"\"PCIeDevice\"", "\"Type1\"",	      "\"Type2\"",
		"\"Type3SLD\"", "\"Type3MLD\"",	  "\"PBRComponent\"", NULL,
	};
	static const char *const modes[] = {
		"\"Disconnected\"",
		"\"RCD\"",
		"\"CXL68BFlitAndVH\"",
		"\"Standard256BFlit\"",
		"\"CXLLatencyOptimized256BFlit\"",
		"\"PBR\"",
		NULL,
		NULL,
	};

	state(3)->device_type = (uint8_t)_i;
	state(3)->device_mode = (uint8_t)_i;
	state(3)->supported_modes = 0xff;
	fixture_ready(&f);
	EXPECT({SWITCH "/Ports/P3", "CXL/ConnectedDeviceType", types[_i]},
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceMode", modes[_i]},
	       {SWITCH "/Ports/P3", "CXL/SupportedCXLModes",
		"[\"RCD\",\"CXL68BFlitAndVH\",\"Standard256BFlit\","
		"\"CXLLatencyOptimized256BFlit\",\"PBR\"]"});
}
END_TEST

START_TEST(a_switch_below_is_no_device_of_type_2)
{
	state(3)->device_type = FMAPI_DEVICE_TYPE2;
	remote.sld->identity.component = FMAPI_COMPONENT_SWITCH;
	fixture_ready(&f);
	EXPECT({SWITCH "/Ports/P3", "CXL/ConnectedDeviceType", NULL});
}
END_TEST

START_TEST(codes_that_are_reserved_are_not_shown)
{
	*state(3) = (struct fmapi_port){.id = 3,
					.config = FMAPI_PORT_DSP,
					.max_width = 63,
					.width = 63,
					.max_speed = 63,
					.speed = 7,
					.ltssm = 4};
	fixture_ready(&f);
	EXPECT({SWITCH "/Ports/P3", "Width", NULL}, {SWITCH "/Ports/P3", "ActiveWidth", NULL},
	       {SWITCH "/Ports/P3", "MaxSpeedGbps", NULL},
	       {SWITCH "/Ports/P3", "CurrentSpeedGbps", NULL},
	       {SWITCH "/Ports/P3", "LinkConfiguration", NULL},
	       {SWITCH "/Ports/P3", "CXL/SupportedCXLModes", NULL},
	       {SWITCH "/Ports/P3", "CXL/ConnectedDeviceType", NULL});
}
END_TEST

/* ---- virtual switches -------------------------------------------------------------------------
 */

START_TEST(virtual_switches_are_those_of_all_hosts)
{
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH "/VCSs"), 2);
	ck_assert_uint_eq(members(OWN "/VPPBs"), 3);
	EXPECT({OWN, "VCSId", "\"0\""}, {OWN, "HDMDecoders", "4"},
	       {OWN, "Status/State", "\"Enabled\""}, {OWN, "Links/Port/@odata.id", "\"" UP "\""},
	       {OWN, "Oem/CXLHost/OfThisHost", "true"},
	       {OWN, "Oem/CXLHost/Mailbox", "\"0000:0d:00.1\""},
	       {OF_OTHER, "Links/Port/@odata.id", "\"" PORT_OF_OTHER "\""},
	       {OF_OTHER, "Oem/CXLHost/OfThisHost", "false"});
	ck_assert_uint_eq(links(OWN, "Endpoints"), 2);
	ck_assert_uint_eq(links(OF_OTHER, "Endpoints"), 2);
}
END_TEST

START_TEST(a_disabled_virtual_switch_has_no_port)
{
	remote.other->state = (uint8_t)(_i == 0 ? FMAPI_VCS_DISABLED : 9);
	fixture_ready(&f);
	EXPECT({OF_OTHER, "Status/State", _i == 0 ? "\"Disabled\"" : NULL},
	       {OF_OTHER, "Links/Port", NULL},
	       {OF_OTHER "/VPPBs/2", "Status/State", _i == 0 ? "\"Disabled\"" : "\"Enabled\""});
}
END_TEST

START_TEST(a_vppb_is_linked_with_what_it_is_bound_to)
{
	fixture_ready(&f);
	EXPECT({OWN "/VPPBs/0", "BindingStatus", "\"BoundPhysicalPort\""},
	       {OWN "/VPPBs/0", "Links/Port/@odata.id", "\"" UP "\""},
	       {OWN "/VPPBs/0", "Links/Endpoints", "[]"}, {OWN "/VPPBs/0", "GCXLID", NULL},
	       {OWN "/VPPBs/1", "VPPBId", "\"1\""}, {OWN "/VPPBs/1", "BoundPortId", "1"},
	       {OWN "/VPPBs/1", "BoundLDId", NULL},
	       {OWN "/VPPBs/1", "GCXLID", "\"00-00-00-00-00-00-AB-C4:0000\""},
	       {OWN "/VPPBs/1", "Links/Port/@odata.id", "\"" WHOLE "\""},
	       {OWN "/VPPBs/1", "Links/Endpoints/0/@odata.id", "\"" T(4) "\""},
	       {OWN "/VPPBs/1", "Oem/CXLHost/KernelName", "\"0000:0e:00.0\""},
	       {OWN "/VPPBs/1", "Oem/CXLHost/HostPort/@odata.id", "\"" WHOLE "\""},
	       {OWN "/VPPBs/2", "BindingStatus", "\"BoundLD\""},
	       {OWN "/VPPBs/2", "BoundPortId", "2"}, {OWN "/VPPBs/2", "BoundLDId", "1"},
	       {OWN "/VPPBs/2", "GCXLID", "\"00-00-00-00-00-00-11-D0:0001\""},
	       {OWN "/VPPBs/2", "Links/Port/@odata.id", "\"" PORT_OF_MLD "\""},
	       {OWN "/VPPBs/2", "Links/Endpoints/0/@odata.id", "\"" SEEN_T "\""},
	       {OWN "/VPPBs/2", "Oem/CXLHost/HostPort", NULL},
	       {OF_OTHER "/VPPBs/1", "GCXLID", "\"00-00-00-00-00-00-11-D0:0002\""},
	       {OF_OTHER "/VPPBs/1", "Links/Endpoints/0/@odata.id", "\"" MLD_T(2) "\""},
	       {OF_OTHER "/VPPBs/2", "Links/Endpoints/0/@odata.id", "\"" SLD_T "\""},
	       {OF_OTHER "/VPPBs/2", "Oem/CXLHost/HostPort", NULL});
}
END_TEST

static const struct {
	struct fmapi_vppb vppb;
	const char *status, *port, *ld, *pid, *state;
} bindings[] = {
	{{.binding = FMAPI_UNBOUND, .port = 3, .ld = 2, .pid = 9},
	 "\"Unbound\"",
	 NULL,
	 NULL,
	 NULL,
	 "\"StandbyOffline\""},
	{{.binding = FMAPI_BINDING, .port = 3, .ld = 2, .pid = 9},
	 "\"Busy\"",
	 NULL,
	 NULL,
	 NULL,
	 "\"Updating\""},
	{{.binding = FMAPI_BOUND_PORT, .port = 99, .ld = 2, .pid = 9},
	 "\"BoundPhysicalPort\"",
	 "99",
	 NULL,
	 NULL,
	 "\"Enabled\""},
	{{.binding = FMAPI_BOUND_LD, .port = 99, .ld = 2, .pid = 9},
	 "\"BoundLD\"",
	 "99",
	 "2",
	 NULL,
	 "\"Enabled\""},
	{{.binding = FMAPI_BOUND_PID, .port = 3, .ld = 2, .pid = 9},
	 "\"BoundPID\"",
	 NULL,
	 NULL,
	 "9",
	 "\"Enabled\""},
	{{.binding = 200, .port = 3, .ld = 2, .pid = 9}, NULL, NULL, NULL, NULL, NULL},
};

START_TEST(a_vppb_has_only_what_its_binding_has)
{
	remote.other->vppbs[2] = bindings[_i].vppb;
	fixture_ready(&f);
	EXPECT({OF_OTHER "/VPPBs/2", "BindingStatus", bindings[_i].status},
	       {OF_OTHER "/VPPBs/2", "BoundPortId", bindings[_i].port},
	       {OF_OTHER "/VPPBs/2", "BoundLDId", bindings[_i].ld},
	       {OF_OTHER "/VPPBs/2", "BoundPBRId", bindings[_i].pid},
	       {OF_OTHER "/VPPBs/2", "Status/State", bindings[_i].state},
	       {OF_OTHER "/VPPBs/2", "GCXLID", NULL}, {OF_OTHER "/VPPBs/2", "Links/Port", NULL},
	       {OF_OTHER "/VPPBs/2", "Links/Endpoints", "[]"});
}
END_TEST

/* _i: 0: the device has no serial number; 1: another one has it; 2: the LD has another one */
START_TEST(a_gcxlid_that_is_not_certain_is_absent)
{
	if (_i == 0)
		remote.mld->identity.serial = 0;
	else if (_i == 1)
		remote.sld->identity.serial = remote.mld->identity.serial;
	else
		remote.mld->lds[2].identity.serial = 5;
	fixture_ready(&f);
	EXPECT({OF_OTHER "/VPPBs/1", "GCXLID", NULL}, {OF_OTHER "/VPPBs/1", "BoundLDId", "2"});
}
END_TEST

/* ---- the tree ---------------------------------------------------------------------------------
 */

static void check_target(const char *from, const char *target)
{
	ck_assert_msg(resource_find(service_view(f.service)->index, target),
		      "%s leads to %s, which does not exist", from, target);
}

/* Every "@odata.id" leads to a resource, and no list of Links has one twice. */
static size_t check_links(const char *from, const json_t *value, bool of_links)
{
	const char *target = json_string_value(json_object_get(value, "@odata.id"));
	json_t *item, *other;
	const char *key;
	size_t i, k, n = 0;

	if (target) {
		check_target(from, target);
		n++;
	}
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
		n += check_links(from, item, of_links || str_equal(key, "Links"));
	json_array_foreach(value, i, item) {
		n += check_links(from, item, of_links);
		json_array_foreach(value, k, other)
			ck_assert_msg(!of_links || k == i || !json_equal(item, other),
				      "%s has a link twice: %s", from,
				      json_string_value(json_object_get(item, "@odata.id")));
	}
	return n;
}

static size_t check_all_links(void)
{
	const struct resource *r;
	size_t n = 0;

	for (size_t i = 0; (r = resource_at(service_view(f.service)->index, i)); i++) {
		if (r->action || r->hidden || !r->type->schema || r->type->open)
			continue;
		ck_assert_msg(get(&f, r->uri) == 200, "%s: status %u", r->uri, f.res.status);
		n += check_links(r->uri, f.body, false);
	}
	return n;
}

/* _i: 1: the switch is known by its mailbox only */
START_TEST(every_link_leads_to_a_resource_once)
{
	if (_i == 1)
		elsewhere();
	else
		fixture_ready(&f);
	ck_assert_uint_ge(check_all_links(), 500);
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

SUITE(check_redfish_switch)
{
	Suite *s = suite_create("redfish switch");
	TCase *switches = tcase_create("switches"), *ports = tcase_create("ports");
	TCase *virtual = tcase_create("virtual switches");

	tcase_add_checked_fixture(switches, start_remote, stop_remote);
	tcase_add_test(switches, a_switch_has_what_its_mailbox_says);
	tcase_add_test(switches, a_switch_without_mailbox_has_nothing_of_it);
	tcase_add_test(switches, decoders_that_the_host_counts_otherwise_are_shown_beside);
	tcase_add_test(switches, recorded_answers_are_called_so);
	tcase_add_test(switches, a_switch_is_linked_with_its_module_and_its_pcie_device);
	tcase_add_test(switches, a_switch_that_only_its_mailbox_shows_is_complete);
	tcase_add_test(switches, a_mailbox_that_does_not_answer_is_a_warning_with_the_reason);
	tcase_add_test(switches, a_command_that_failed_is_said_without_a_warning);
	tcase_add_loop_test(switches, numbers_of_pci_that_are_not_set_name_nothing, 0, 2);
	tcase_add_loop_test(switches, every_link_leads_to_a_resource_once, 0, 2);
	suite_add_tcase(s, switches);

	tcase_add_checked_fixture(ports, start_remote, stop_remote);
	tcase_add_test(ports, a_port_has_the_values_of_the_physical_port);
	tcase_add_test(ports, what_differs_for_the_host_is_shown_beside);
	tcase_add_test(ports, a_port_without_mailbox_has_what_the_host_knows);
	tcase_add_test(ports, a_port_that_is_no_bridge_of_the_host_is_shown_by_its_number);
	tcase_add_test(ports, a_vppb_that_is_no_physical_port_is_no_port);
	tcase_add_loop_test(ports, a_link_that_is_down_has_neither_width_nor_speed, 0,
			    (int)ARRAY_SIZE(link_states));
	tcase_add_test(ports, a_link_without_power_and_device_is_down);
	tcase_add_test(ports, a_port_in_reset_has_no_link);
	tcase_add_test(ports, a_port_that_is_powered_off_has_no_link);
	tcase_add_test(ports, links_that_are_as_fast_as_their_ports_are_healthy);
	tcase_add_test(ports, the_health_of_a_link_whose_other_end_is_not_known_is_not_known);
	tcase_add_loop_test(ports, a_bad_link_makes_a_port_and_what_uses_it_unhealthy, 0,
			    (int)ARRAY_SIZE(bad_links));
	tcase_add_test(ports, a_port_without_a_device_has_no_health);
	tcase_add_loop_test(ports, an_unused_port_has_no_health, 0, (int)ARRAY_SIZE(unused_ports));
	tcase_add_test(ports, a_link_that_is_disabled_is_no_fault);
	tcase_add_loop_test(ports, the_state_of_a_port_is_named_as_in_the_schema, 0, 7);
	tcase_add_loop_test(ports, the_device_on_a_port_is_named_as_in_the_schema, 0, 8);
	tcase_add_test(ports, a_switch_below_is_no_device_of_type_2);
	tcase_add_test(ports, codes_that_are_reserved_are_not_shown);
	suite_add_tcase(s, ports);

	tcase_add_checked_fixture(virtual, start_remote, stop_remote);
	tcase_add_test(virtual, virtual_switches_are_those_of_all_hosts);
	tcase_add_loop_test(virtual, a_disabled_virtual_switch_has_no_port, 0, 2);
	tcase_add_test(virtual, a_vppb_is_linked_with_what_it_is_bound_to);
	tcase_add_loop_test(virtual, a_vppb_has_only_what_its_binding_has, 0,
			    (int)ARRAY_SIZE(bindings));
	tcase_add_loop_test(virtual, a_gcxlid_that_is_not_certain_is_absent, 0, 3);
	suite_add_tcase(s, virtual);
	return s;
}
