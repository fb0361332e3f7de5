# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Redfish: suites on hosts built in memory, and golden trees.
redfish_suites = \
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
	check_client_context \
	check_condition_times \
	check_cross_site \
	check_delivery \
	check_diagnostics \
	check_dsp0288 \
	check_dsp0288_fm \
	check_dynamic_capacity \
	check_dynamic_writes \
	check_event_filters \
	check_fabric_flows \
	check_fabric_writes \
	check_front_ends \
	check_hostile_switch \
	check_incident_log \
	check_incident_repair \
	check_isolation_log \
	check_jobs \
	check_log_filter \
	check_login \
	check_memory_actions \
	check_memory_writes \
	check_otlp_export \
	check_page_actions \
	check_page_policy \
	check_page_restorer \
	check_poison_actions \
	check_poison_list \
	check_scan_action \
	check_queries \
	check_redfish \
	check_redfish_actions \
	check_redfish_derived \
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
	check_remembered_pages \
	check_repair_incidents \
	check_renamed \
	check_repair_worklist \
	check_resource_events \
	check_resource_table \
	check_subscriptions \
	check_scrub_settings \
	check_sunfish_agent \
	check_sunfish_writes \
	check_system_id \
	check_tasks \
	check_telemetry \
	check_update
TESTS += $(redfish_suites)
CLEANFILES += $(redfish_suites)
check_PROGRAMS += suites_redfish
suites_redfish_SOURCES = \
	%D%/check_account_resources.c \
	%D%/check_accounts.c \
	%D%/check_audit.c \
	%D%/check_capacity_rules.c \
	%D%/check_change_faults.c \
	%D%/check_chunk_create.c \
	%D%/check_chunk_half_made.c \
	%D%/check_chunk_order.c \
	%D%/check_chunk_permissions.c \
	%D%/check_chunk_results.c \
	%D%/check_chunk_writes.c \
	%D%/check_client_context.c \
	%D%/check_condition_times.c \
	%D%/check_cross_site.c \
	%D%/check_delivery.c \
	%D%/check_diagnostics.c \
	%D%/check_dsp0288.c \
	%D%/check_dsp0288_fm.c \
	%D%/check_dynamic_capacity.c \
	%D%/check_dynamic_writes.c \
	%D%/check_event_filters.c \
	%D%/check_fabric_flows.c \
	%D%/check_fabric_writes.c \
	%D%/check_front_ends.c \
	%D%/check_hostile_switch.c \
	%D%/check_incident_log.c \
	%D%/check_incident_repair.c \
	%D%/check_isolation_log.c \
	%D%/check_jobs.c \
	%D%/check_log_filter.c \
	%D%/check_login.c \
	%D%/check_memory_actions.c \
	%D%/check_memory_writes.c \
	%D%/check_otlp_export.c \
	%D%/check_page_actions.c \
	%D%/check_page_policy.c \
	%D%/check_page_restorer.c \
	%D%/check_poison_actions.c \
	%D%/check_poison_list.c \
	%D%/check_scan_action.c \
	%D%/check_queries.c \
	%D%/check_redfish.c \
	%D%/check_redfish_actions.c \
	%D%/check_redfish_derived.c \
	%D%/check_redfish_devices.c \
	%D%/check_redfish_fabric.c \
	%D%/check_redfish_firmware.c \
	%D%/check_redfish_host.c \
	%D%/check_redfish_log.c \
	%D%/check_redfish_memory.c \
	%D%/check_redfish_parts.c \
	%D%/check_redfish_ports.c \
	%D%/check_redfish_remote.c \
	%D%/check_redfish_status.c \
	%D%/check_redfish_switch.c \
	%D%/check_remembered_pages.c \
	%D%/check_repair_incidents.c \
	%D%/check_renamed.c \
	%D%/check_repair_worklist.c \
	%D%/check_resource_events.c \
	%D%/check_resource_table.c \
	%D%/check_subscriptions.c \
	%D%/check_scrub_settings.c \
	%D%/check_sunfish_agent.c \
	%D%/check_sunfish_writes.c \
	%D%/check_system_id.c \
	%D%/check_tasks.c \
	%D%/check_telemetry.c \
	%D%/check_update.c \
	%D%/pooled_switch.c \
	$(redfish_stand_ins)
suites_redfish_LDADD = libtests.a libcli.a $(DAEMON_LINK) $(CHANGE_LINK) $(CHECK_LIBS)
# To let a helper hang and time pass, and to look at all memory that is freed.
suites_redfish_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_boottime_ms -Wl,--wrap=clock_monotonic_ms \
	-Wl,--wrap=pidfd_send_signal -Wl,--wrap=free -Wl,--wrap=pthread_cond_timedwait
$(redfish_suites): suites_redfish$(EXEEXT)
	$(link_suite)

# Every resource of three bundled hosts, against a reviewed text; of the others the invariants of any host, our
# profile (contrib/interop), the schemas (tests/http/schemas.sh) and the links (tests/http/references.sh).
check_PROGRAMS += dump_redfish
dump_redfish_SOURCES = %D%/dump_redfish.c
dump_redfish_LDADD = $(CAPTURE_LINK) $(REDFISH_LINK)
TESTS += %D%/invariants.sh %D%/profile.sh %D%/redfish_golden.sh %D%/schema_properties.sh
EXTRA_DIST += %D%/dump_hosts %D%/excerpts.py %D%/invariants.py %D%/invariants.sh %D%/profile.py %D%/profile.sh \
	%D%/redfish_golden.sh %D%/schema_properties.sh

update-golden-redfish: dump_redfish
	for name in $(redfish_golden_names); do \
		./dump_redfish $(srcdir)/tests/hosts/$$name.tar.zst \
			>$(srcdir)/tests/hosts/$$name.redfish || exit 1; \
	done
update-golden: update-golden-redfish
.PHONY: update-golden-redfish

# Front ends agree on one host, captured or made at random.
check_PROGRAMS += make_machine
make_machine_SOURCES = %D%/make_machine.c
make_machine_LDADD = libtests.a $(PRM_LINK) $(CHECK_LIBS)
TESTS += %D%/agreement.sh
EXTRA_DIST += %D%/agreement.py %D%/agreement.sh

# The rows of docs/mapping.md against captured switches; check_dsp0288 and check_dsp0288_fm have all.
TESTS += %D%/mapping_hosts.sh
EXTRA_DIST += %D%/mapping_hosts.sh %D%/mapping_hosts.py

TESTS += %D%/identity.sh
EXTRA_DIST += %D%/identity.sh %D%/identity.py
# The list of deprecated properties in docs/mapping.md, by DMTF's CSDL.
TESTS += %D%/deprecated.sh
EXTRA_DIST += %D%/deprecated.sh %D%/deprecated.py
# Everything that the service says during and after random traffic.
TESTS += %D%/traffic.sh
EXTRA_DIST += %D%/traffic.py %D%/traffic.sh %D%/traffic_judge.py

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

# For the machines of tests/vm.
EXTRA_PROGRAMS += add_repair
CLEANFILES += add_repair
add_repair_SOURCES = %D%/add_repair.c
add_repair_LDADD = $(REDFISH_LINK)
