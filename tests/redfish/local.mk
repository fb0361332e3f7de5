# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Redfish: suites on hosts built in memory, and golden trees.
redfish_checks = \
	check_account_resources \
	check_accounts \
	check_audit \
	check_capacity_rules \
	check_change_faults \
	check_chunk_create \
	check_chunk_half_made \
	check_chunk_order \
	check_chunk_permissions \
	check_chunk_results \
	check_chunk_writes \
	check_cross_site \
	check_delivery \
	check_diagnostics \
	check_dsp0288 \
	check_dsp0288_fm \
	check_event_filters \
	check_fabric_flows \
	check_fabric_writes \
	check_hostile_switch \
	check_jobs \
	check_log_filter \
	check_login \
	check_memory_actions \
	check_memory_writes \
	check_poison_actions \
	check_poison_list \
	check_queries \
	check_redfish \
	check_redfish_actions \
	check_redfish_devices \
	check_redfish_fabric \
	check_redfish_firmware \
	check_redfish_host \
	check_redfish_log \
	check_redfish_memory \
	check_redfish_parts \
	check_redfish_ports \
	check_redfish_remote \
	check_redfish_status \
	check_redfish_switch \
	check_resource_table \
	check_subscriptions \
	check_tasks \
	check_update
if HAVE_CHECK
check_PROGRAMS += $(redfish_checks)
TESTS += $(redfish_checks)
endif

check_audit_CFLAGS = $(suite_cflags)
check_audit_SOURCES = %D%/check_audit.c $(redfish_fixture)
check_audit_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)
check_account_resources_CFLAGS = $(suite_cflags)
check_account_resources_SOURCES = %D%/check_account_resources.c $(redfish_fixture)
check_account_resources_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_accounts_CFLAGS = $(suite_cflags)
check_accounts_SOURCES = %D%/check_accounts.c
check_accounts_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_capacity_rules_CFLAGS = $(suite_cflags)
check_capacity_rules_SOURCES = %D%/check_capacity_rules.c $(redfish_fixture)
check_capacity_rules_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_cross_site_CFLAGS = $(suite_cflags)
check_cross_site_SOURCES = %D%/check_cross_site.c $(redfish_fixture)
check_cross_site_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_dsp0288_CFLAGS = $(suite_cflags)
check_dsp0288_SOURCES = %D%/check_dsp0288.c $(mapping_document) $(log_fixture)
check_dsp0288_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_dsp0288_fm_CFLAGS = $(suite_cflags)
check_dsp0288_fm_SOURCES = %D%/check_dsp0288_fm.c $(mapping_document) $(fabric_fixture) $(remote_fixture)
check_dsp0288_fm_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_event_filters_CFLAGS = $(suite_cflags)
check_event_filters_SOURCES = %D%/check_event_filters.c
check_event_filters_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_jobs_CFLAGS = $(suite_cflags)
check_jobs_SOURCES = %D%/check_jobs.c
check_jobs_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_log_filter_CFLAGS = $(suite_cflags)
check_log_filter_SOURCES = %D%/check_log_filter.c $(redfish_fixture)
check_log_filter_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_diagnostics_CFLAGS = $(suite_cflags)
check_diagnostics_SOURCES = %D%/check_diagnostics.c $(redfish_fixture)
check_diagnostics_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)
check_update_CFLAGS = $(suite_cflags)
check_update_SOURCES = %D%/check_update.c $(redfish_fixture)
check_update_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)
check_login_CFLAGS = $(suite_cflags)
check_login_SOURCES = %D%/check_login.c $(redfish_fixture)
check_login_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)
check_queries_CFLAGS = $(suite_cflags)
check_queries_SOURCES = %D%/check_queries.c $(log_fixture)
check_queries_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_CFLAGS = $(suite_cflags)
check_redfish_SOURCES = %D%/check_redfish.c $(redfish_fixture)
check_redfish_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_actions_CFLAGS = $(suite_cflags)
check_redfish_actions_SOURCES = %D%/check_redfish_actions.c $(redfish_fixture)
check_redfish_actions_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_devices_CFLAGS = $(suite_cflags)
check_redfish_devices_SOURCES = %D%/check_redfish_devices.c $(redfish_fixture)
check_redfish_devices_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_fabric_CFLAGS = $(suite_cflags)
check_redfish_fabric_SOURCES = %D%/check_redfish_fabric.c $(fabric_fixture)
check_redfish_fabric_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_firmware_CFLAGS = $(suite_cflags)
check_redfish_firmware_SOURCES = %D%/check_redfish_firmware.c $(fake_module) $(redfish_fixture)
check_redfish_firmware_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_host_CFLAGS = $(suite_cflags)
check_redfish_host_SOURCES = %D%/check_redfish_host.c $(redfish_fixture)
check_redfish_host_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_log_CFLAGS = $(suite_cflags)
check_redfish_log_SOURCES = %D%/check_redfish_log.c $(log_fixture)
check_redfish_log_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_memory_CFLAGS = $(suite_cflags)
check_redfish_memory_SOURCES = %D%/check_redfish_memory.c $(redfish_fixture)
check_redfish_memory_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_parts_CFLAGS = $(suite_cflags)
check_redfish_parts_SOURCES = %D%/check_redfish_parts.c $(redfish_fixture)
check_redfish_parts_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

# Changes of the host, on a model of it.
check_change_faults_CFLAGS = $(suite_cflags)
check_change_faults_SOURCES = %D%/check_change_faults.c tests/lib/change_fixture.c \
	tests/lib/change_fixture.h $(log_fixture)
check_change_faults_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_create_CFLAGS = $(suite_cflags)
check_chunk_create_SOURCES = %D%/check_chunk_create.c $(change_fixture)
check_chunk_create_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_half_made_CFLAGS = $(suite_cflags)
check_chunk_half_made_SOURCES = %D%/check_chunk_half_made.c $(change_fixture)
check_chunk_half_made_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_order_CFLAGS = $(suite_cflags)
check_chunk_order_SOURCES = %D%/check_chunk_order.c $(change_fixture)
check_chunk_order_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_permissions_CFLAGS = $(suite_cflags)
check_chunk_permissions_SOURCES = %D%/check_chunk_permissions.c $(accounts_fixture) $(change_fixture)
check_chunk_permissions_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_results_CFLAGS = $(suite_cflags)
check_chunk_results_SOURCES = %D%/check_chunk_results.c $(change_fixture)
check_chunk_results_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_chunk_writes_CFLAGS = $(suite_cflags)
check_chunk_writes_SOURCES = %D%/check_chunk_writes.c tests/lib/change_fixture.c \
	tests/lib/change_fixture.h $(log_fixture)
check_chunk_writes_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

# Changes of the fabric, on the model of a switch.
check_fabric_flows_CFLAGS = $(suite_cflags)
check_fabric_flows_SOURCES = %D%/check_fabric_flows.c $(pooled_fixture)
check_fabric_flows_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_hostile_switch_CFLAGS = $(suite_cflags)
check_hostile_switch_SOURCES = %D%/check_hostile_switch.c $(pooled_fixture)
check_hostile_switch_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_fabric_writes_CFLAGS = $(suite_cflags)
check_fabric_writes_SOURCES = %D%/check_fabric_writes.c $(accounts_fixture) $(pooled_fixture)
check_fabric_writes_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_remote_CFLAGS = $(suite_cflags)
check_redfish_remote_SOURCES = %D%/check_redfish_remote.c $(fabric_fixture) $(remote_fixture)
check_redfish_remote_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_switch_CFLAGS = $(suite_cflags)
check_redfish_switch_SOURCES = %D%/check_redfish_switch.c $(fabric_fixture) $(remote_fixture)
check_redfish_switch_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_ports_CFLAGS = $(suite_cflags)
check_redfish_ports_SOURCES = %D%/check_redfish_ports.c $(fabric_fixture)
check_redfish_ports_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_redfish_status_CFLAGS = $(suite_cflags)
check_redfish_status_SOURCES = %D%/check_redfish_status.c $(redfish_fixture)
check_redfish_status_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_resource_table_CFLAGS = $(suite_cflags)
check_resource_table_SOURCES = %D%/check_resource_table.c $(redfish_fixture)
check_resource_table_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_delivery_CFLAGS = $(suite_cflags)
check_delivery_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=push_client_stop
check_delivery_SOURCES = %D%/check_delivery.c $(log_fixture)
check_delivery_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_subscriptions_CFLAGS = $(suite_cflags)
check_subscriptions_SOURCES = %D%/check_subscriptions.c
check_subscriptions_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_tasks_CFLAGS = $(suite_cflags)
check_tasks_SOURCES = %D%/check_tasks.c $(redfish_fixture)
check_tasks_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

# Every resource of each bundled host, against a text that people have looked at.
check_PROGRAMS += dump_redfish
dump_redfish_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
dump_redfish_SOURCES = %D%/dump_redfish.c
dump_redfish_LDADD = $(CAPTURE_LINK) $(REDFISH_LINK)
TESTS += %D%/redfish_golden.sh %D%/schema_properties.sh
EXTRA_DIST += %D%/redfish_golden.sh %D%/schema_properties.sh

update-golden-redfish: dump_redfish
	for name in $(host_names); do \
		./dump_redfish $(srcdir)/tests/hosts/$$name.tar.zst \
			>$(srcdir)/tests/hosts/$$name.redfish || exit 1; \
	done
update-golden: update-golden-redfish
.PHONY: update-golden-redfish

# The rows of docs/mapping.md against captured switches; check_dsp0288 and check_dsp0288_fm have all.
TESTS += %D%/mapping_hosts.sh
EXTRA_DIST += %D%/mapping_hosts.sh %D%/mapping_hosts.py

# docs/privileges.json is printed from the table of privileges.
check_PROGRAMS += print_privileges
print_privileges_SOURCES = %D%/print_privileges.c
print_privileges_LDADD = $(REDFISH_LINK)
TESTS += %D%/privileges.sh
EXTRA_DIST += %D%/privileges.sh

update-privileges: print_privileges
	./print_privileges >$(srcdir)/docs/privileges.json
update-golden: update-privileges
.PHONY: update-privileges

# docs/parameters.md is printed from the tables that bodies are checked by.
check_PROGRAMS += print_parameters
print_parameters_SOURCES = %D%/print_parameters.c
print_parameters_LDADD = $(REDFISH_LINK)
TESTS += %D%/parameters.sh
EXTRA_DIST += %D%/parameters.sh

update-parameters: print_parameters
	./print_parameters >parameters.tmp && \
	$(SED) -i -e '/^<!-- begin of parameters -->$$/,/^<!-- end of parameters -->$$/{/^<!-- /!d}' \
		-e '/^<!-- begin of parameters -->$$/r parameters.tmp' $(srcdir)/docs/parameters.md && \
	rm parameters.tmp
update-golden: update-parameters
.PHONY: update-parameters

check_memory_actions_CFLAGS = $(suite_cflags)
# It looks at all memory that is freed.
check_memory_actions_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=free
check_memory_actions_SOURCES = %D%/check_memory_actions.c $(accounts_fixture) $(memory_fixture)
check_memory_actions_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_memory_writes_CFLAGS = $(suite_cflags)
check_memory_writes_SOURCES = %D%/check_memory_writes.c $(memory_fixture)
check_memory_writes_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_poison_actions_CFLAGS = $(suite_cflags)
check_poison_actions_SOURCES = %D%/check_poison_actions.c $(memory_fixture)
check_poison_actions_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)

check_poison_list_CFLAGS = $(suite_cflags)
check_poison_list_SOURCES = %D%/check_poison_list.c $(log_fixture)
check_poison_list_LDADD = $(REDFISH_LINK) $(CHECK_LIBS)
