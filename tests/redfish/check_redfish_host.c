// SPDX-License-Identifier: LGPL-2.1-or-later
/* The service root, the manager and the system: identity, and what clients read first. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include "common/array.h"

#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define MANAGER ROOT "/Managers/Service"

static struct fixture f;

static void setup(void)
{
	fixture_init(&f, NULL);
}

static void teardown(void)
{
	fixture_done(&f);
}

static void look(const char *uri)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, uri), 200);
}

START_TEST(the_uuid_is_that_of_the_live_service)
{
	look(ROOT "/");
	ck_assert_ptr_null(at(&f, "UUID"));
	(void)strcpy(f.model.root_directory.service_uuid, "8d5f3f3e-0000-4000-8000-000000000001");
	look(ROOT "/");
	ck_assert_str_eq(at(&f, "UUID"), "8d5f3f3e-0000-4000-8000-000000000001");
	look(MANAGER);
	ck_assert_str_eq(at(&f, "UUID"), "8d5f3f3e-0000-4000-8000-000000000001");
	ck_assert_str_eq(at(&f, "ServiceEntryPointUUID"), "8d5f3f3e-0000-4000-8000-000000000001");
}
END_TEST

/* Copies the UUID of the service on the host as it is now. */
static void take_uuid(char ret[37])
{
	const char *uuid;

	look(ROOT "/");
	uuid = at(&f, "UUID");
	ck_assert_ptr_nonnull(uuid);
	ck_assert_uint_eq(strlen(uuid), 36);
	ck_assert_int_eq(uuid[14], '8'); /* version */
	ck_assert_ptr_nonnull(strchr("89ab", uuid[19]));
	(void)strcpy(ret, uuid);
}

START_TEST(the_uuid_of_a_captured_host_follows_from_the_capture)
{
	char first[37], again[37];

	f.model.root_directory.captured = true;
	(void)strcpy(f.model.root_directory.service_uuid, "8d5f3f3e-0000-4000-8000-000000000001");
	take_uuid(first);
	ck_assert_str_ne(first, "8d5f3f3e-0000-4000-8000-000000000001");
	take_uuid(again);
	ck_assert_str_eq(first, again);
	f.model.host.hostname = "another";
	take_uuid(again);
	ck_assert_str_ne(first, again);
	f.model.host.hostname = NULL;
	f.memdevs[3]->serial = OPT_U64(0xabcd);
	take_uuid(again);
	ck_assert_str_ne(first, again);
}
END_TEST

/* Clients that manage many systems read Boot and Actions of each, and fail without them. */
START_TEST(boot_says_that_nothing_is_overridden)
{
	look(SYSTEM);
	ck_assert_str_eq(at(&f, "Boot/BootSourceOverrideEnabled"), "Disabled");
	ck_assert_str_eq(at(&f, "Boot/BootSourceOverrideTarget"), "None");
	ck_assert_uint_eq(json_array_size(value_at(
				  &f, "Boot/BootSourceOverrideTarget@Redfish.AllowableValues")),
			  1);
	ck_assert_uint_eq(json_array_size(value_at(
				  &f, "Boot/BootSourceOverrideEnabled@Redfish.AllowableValues")),
			  1);
	ck_assert_str_eq(at(&f, "Boot/BootSourceOverrideEnabled@Redfish.AllowableValues/0"),
			 "Disabled");
}
END_TEST

START_TEST(no_reset_is_advertised_that_would_not_work)
{
	look(SYSTEM);
	ck_assert_ptr_nonnull(value_at(&f, "Actions"));
	ck_assert_ptr_null(value_at(&f, "Actions/#ComputerSystem.Reset"));
	ck_assert_uint_eq(post(&f, SYSTEM "/Actions/ComputerSystem.Reset", "{}"), 404);
}
END_TEST

START_TEST(only_a_live_system_is_on)
{
	look(SYSTEM);
	ck_assert_str_eq(at(&f, "PowerState"), "On");
	f.model.root_directory.captured = true;
	look(SYSTEM);
	ck_assert_ptr_null(at(&f, "PowerState"));
}
END_TEST

/* A captured host ran until it was captured, if the capture says how long. */
START_TEST(the_uptime_is_that_of_the_host)
{
	look(SYSTEM "/OperatingSystem");
	ck_assert_int_gt(json_integer_value(value_at(&f, "UptimeSeconds")), 0);
	f.model.root_directory.captured = true;
	look(SYSTEM "/OperatingSystem");
	ck_assert_ptr_null(value_at(&f, "UptimeSeconds"));
	f.model.host.captured_uptime_s = OPT_U64(5012);
	look(SYSTEM "/OperatingSystem");
	ck_assert_int_eq(json_integer_value(value_at(&f, "UptimeSeconds")), 5012);
}
END_TEST

START_TEST(the_memory_of_the_system_is_that_of_the_kernel)
{
	look(SYSTEM);
	ck_assert_ptr_null(value_at(&f, "MemorySummary"));
	f.model.host.memory_total = OPT_U64(2005972ULL << 10);
	look(SYSTEM);
	ck_assert_double_eq(json_number_value(value_at(&f, "MemorySummary/TotalSystemMemoryGiB")),
			    1.9);
	f.model.host.memory_total = OPT_U64(UINT64_MAX);
	look(SYSTEM);
	ck_assert_double_eq(json_number_value(value_at(&f, "MemorySummary/TotalSystemMemoryGiB")),
			    17179869183.9);
}
END_TEST

START_TEST(the_machine_has_the_names_of_its_firmware)
{
	look(SYSTEM);
	ck_assert_ptr_null(at(&f, "SystemType"));
	ck_assert_ptr_null(at(&f, "Manufacturer"));
	ck_assert_ptr_null(at(&f, "Model"));
	f.model.host.machine = (struct machine_names){.manufacturer = "Dell Inc.",
						      .model = "PowerEdge R770",
						      .serial = "7XK2A94",
						      .bios_version = "1.2.3",
						      .is_virtual = OPT_BOOL(false)};
	look(SYSTEM);
	ck_assert_str_eq(at(&f, "SystemType"), "Physical");
	ck_assert_str_eq(at(&f, "Manufacturer"), "Dell Inc.");
	ck_assert_str_eq(at(&f, "Model"), "PowerEdge R770");
	ck_assert_str_eq(at(&f, "SerialNumber"), "7XK2A94");
	ck_assert_str_eq(at(&f, "BiosVersion"), "1.2.3");
	f.model.host.machine.is_virtual = OPT_BOOL(true);
	look(SYSTEM);
	ck_assert_str_eq(at(&f, "SystemType"), "Virtual");
}
END_TEST

START_TEST(a_processor_has_the_model_of_its_socket)
{
	static const int node = 0;
	static struct cpu_package packages[] = {
		{.id = 0, .nodes = &node, .n_nodes = 1},
		{.id = 1,
		 .architecture = CPU_X86_64,
		 .vendor = "AuthenticAMD",
		 .model = "AMD EPYC 9965"},
		{.id = 2, .architecture = CPU_ARM_64},
		{.id = 3, .architecture = CPU_X86_64, .vendor = "CentaurHauls"},
	};

	f.model.host.packages = packages;
	f.model.host.n_packages = ARRAY_SIZE(packages);
	look(SYSTEM "/Processors/CPU0");
	ck_assert_ptr_null(at(&f, "ProcessorArchitecture"));
	ck_assert_ptr_null(at(&f, "Manufacturer"));
	look(SYSTEM "/Processors/CPU1");
	ck_assert_str_eq(at(&f, "ProcessorArchitecture"), "x86");
	ck_assert_str_eq(at(&f, "InstructionSet"), "x86-64");
	ck_assert_str_eq(at(&f, "Manufacturer"), "AMD");
	ck_assert_str_eq(at(&f, "Model"), "AMD EPYC 9965");
	ck_assert_str_eq(at(&f, "ProcessorId/VendorId"), "AuthenticAMD");
	look(SYSTEM "/Processors/CPU2");
	ck_assert_str_eq(at(&f, "InstructionSet"), "ARM-A64");
	ck_assert_ptr_null(at(&f, "Manufacturer"));
	look(SYSTEM "/Processors/CPU3");
	ck_assert_str_eq(at(&f, "Manufacturer"), "CentaurHauls");
}
END_TEST

START_TEST(the_vendor_is_the_prefix_of_its_properties)
{
	look(ROOT "/");
	ck_assert_str_eq(at(&f, "Vendor"), "CXLHost");
	ck_assert_ptr_null(strstr(at(&f, "Product"), at(&f, "Vendor")));
}
END_TEST

/* The time of now, and in UTC, as all times. */
START_TEST(the_manager_has_a_clock)
{
	static const char *const clocks[] = {MANAGER, MANAGER "/LogServices/Audit",
					     MANAGER "/LogServices/Captures"};
	struct tm tm;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		const time_t before = time(NULL);
		time_t shown;

		look(clocks[i]);
		ck_assert_ptr_nonnull(at(&f, "DateTime"));
		memset(&tm, 0, sizeof(tm));
		ck_assert_ptr_nonnull(strptime(at(&f, "DateTime"), "%Y-%m-%dT%H:%M:%S", &tm));
		shown = timegm(&tm);
		ck_assert_int_ge(shown, before);
		/* time() may be a tick behind. */
		ck_assert_int_le(shown, time(NULL) + 1);
		ck_assert_str_eq(at(&f, "DateTimeLocalOffset"), "+00:00");
	}
}
END_TEST

static const struct {
	const char *kernel, *host, *fqdn;
} names[] = {
	{"node7", "node7", NULL},
	{"node7.example.com", "node7", "node7.example.com"},
	{NULL, NULL, NULL},
	{".example.com", NULL, NULL},
};

START_TEST(the_name_of_the_manager_has_no_domain)
{
	f.model.host.hostname = names[_i].kernel;
	look(MANAGER "/NetworkProtocol");
	ck_assert(json_is_null(value_at(&f, "HostName")) == !names[_i].host);
	ck_assert(json_is_null(value_at(&f, "FQDN")) == !names[_i].fqdn);
	if (names[_i].host)
		ck_assert_str_eq(at(&f, "HostName"), names[_i].host);
	if (names[_i].fqdn)
		ck_assert_str_eq(at(&f, "FQDN"), names[_i].fqdn);
}
END_TEST

START_TEST(a_protocol_without_listener_has_no_port)
{
	fixture_ready(&f);
	f.service->ports = (struct service_ports){.https = 443};
	ck_assert_uint_eq(get(&f, MANAGER "/NetworkProtocol"), 200);
	ck_assert(json_is_false(value_at(&f, "HTTP/ProtocolEnabled")));
	ck_assert(json_is_null(value_at(&f, "HTTP/Port")));
	ck_assert(json_is_true(value_at(&f, "HTTPS/ProtocolEnabled")));
	ck_assert_int_eq(json_integer_value(value_at(&f, "HTTPS/Port")), 443);
}
END_TEST

#define RESET MANAGER "/Actions/Manager.Reset"

START_TEST(no_restart_is_offered_where_nothing_starts_the_service)
{
	look(MANAGER);
	ck_assert_ptr_null(value_at(&f, "Actions"));
	ck_assert_uint_eq(post(&f, RESET, "{\"ResetType\": \"ForceRestart\"}"), 405);
	ck_assert(!atomic_load(&f.service->restart_wanted));
}
END_TEST

START_TEST(a_restart_is_asked_for_once_its_type_is_known)
{
	f.model.root_directory.service_restarts = true;
	look(MANAGER);
	ck_assert_str_eq(at(&f, "Actions/#Manager.Reset/target"), RESET);
	ck_assert_str_eq(at(&f, "Actions/#Manager.Reset/ResetType@Redfish.AllowableValues/0"),
			 "ForceRestart");
	ck_assert_uint_eq(post(&f, RESET, "{\"ResetType\": \"PowerCycle\"}"), 400);
	ck_assert_uint_eq(post(&f, RESET, "{\"Type\": \"ForceRestart\"}"), 400);
	ck_assert(!atomic_load(&f.service->restart_wanted));
	ck_assert_uint_eq(post(&f, RESET, "{\"ResetType\": \"ForceRestart\"}"), 204);
	ck_assert(atomic_load(&f.service->restart_wanted));
}
END_TEST

START_TEST(a_restart_needs_no_type)
{
	f.model.root_directory.service_restarts = true;
	look(MANAGER);
	ck_assert_uint_eq(post(&f, RESET, "{}"), 204);
	ck_assert(atomic_load(&f.service->restart_wanted));
}
END_TEST

static json_int_t count_findings(json_int_t *ret_more)
{
	look(SYSTEM);
	*ret_more = json_integer_value(value_at(&f, "Oem/CXLHost/FindingsNotListed"));
	return (json_int_t)json_array_size(value_at(&f, "Oem/CXLHost/Findings"));
}

/* A device without driver is a problem of its own. */
static void add_disabled_devices(size_t n)
{
	struct port *sw = NULL;

	for (size_t i = 0; i < n; i++) {
		if (i % MODEL_PER_PORT_MAX == 0)
			sw = model_switch(&f.model, model_bridge(&f.model));
		model_memdev(&f.model, sw)->enabled = false;
	}
}

START_TEST(findings_beyond_the_limit_are_counted)
{
	json_int_t more, before = count_findings(&more);

	ck_assert_int_eq(more, 0);
	ck_assert_int_lt(before, 200);
	add_disabled_devices(300);
	ck_assert_int_eq(count_findings(&more), 256);
	ck_assert_int_ge(more, 300 + before - 256);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Findings/255/Severity"), "Warning");
}
END_TEST

SUITE(check_redfish_host)
{
	Suite *s = suite_create("redfish host");
	TCase *t = tcase_create("redfish host");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_uuid_is_that_of_the_live_service);
	tcase_add_test(t, the_uuid_of_a_captured_host_follows_from_the_capture);
	tcase_add_test(t, boot_says_that_nothing_is_overridden);
	tcase_add_test(t, no_reset_is_advertised_that_would_not_work);
	tcase_add_test(t, only_a_live_system_is_on);
	tcase_add_test(t, the_uptime_is_that_of_the_host);
	tcase_add_test(t, the_memory_of_the_system_is_that_of_the_kernel);
	tcase_add_test(t, the_machine_has_the_names_of_its_firmware);
	tcase_add_test(t, a_processor_has_the_model_of_its_socket);
	tcase_add_test(t, the_vendor_is_the_prefix_of_its_properties);
	tcase_add_test(t, the_manager_has_a_clock);
	tcase_add_loop_test(t, the_name_of_the_manager_has_no_domain, 0, ARRAY_SIZE(names));
	tcase_add_test(t, a_protocol_without_listener_has_no_port);
	tcase_add_test(t, no_restart_is_offered_where_nothing_starts_the_service);
	tcase_add_test(t, a_restart_is_asked_for_once_its_type_is_known);
	tcase_add_test(t, a_restart_needs_no_type);
	tcase_add_test(t, findings_beyond_the_limit_are_counted);
	suite_add_tcase(s, t);
	return s;
}
