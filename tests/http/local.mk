# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The server alone, and scripts that send requests to the real daemon.
http_suites = \
	check_budget \
	check_http \
	check_interfaces \
	check_multipart \
	check_sink \
	check_streams \
	check_tls
TESTS += $(http_suites)
CLEANFILES += $(http_suites)
check_PROGRAMS += suites_http
suites_http_SOURCES = \
	%D%/check_budget.c \
	%D%/check_http.c \
	%D%/check_interfaces.c \
	%D%/check_multipart.c \
	%D%/check_sink.c \
	%D%/check_streams.c \
	%D%/check_tls.c \
	%D%/passing_time.c \
	%D%/passing_time.h
suites_http_LDADD = libtests.a $(HTTP_LINK) $(CHECK_LIBS)
# To let deadlines pass.
suites_http_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_coarse_ms
$(http_suites): suites_http$(EXEEXT)
	$(link_suite)

check_PROGRAMS += serve_memory
serve_memory_SOURCES = %D%/serve_memory.c $(redfish_stand_ins)
serve_memory_LDADD = libtests.a $(REDFISH_LINK) $(HTTP_LINK) $(CHECK_LIBS)

http_scripts = \
	%D%/assertions_proto.sh \
	%D%/assertions_req.sh \
	%D%/assertions_resp.sh \
	%D%/assertions_sec.sh \
	%D%/assertions_serv.sh \
	%D%/cross_site.sh \
	%D%/clients.sh \
	%D%/clients_walk.sh \
	%D%/aggregator.sh \
	%D%/attacks.sh \
	%D%/audit.sh \
	%D%/config.sh \
	%D%/accounts.sh \
	%D%/certificates.sh \
	%D%/client_context.sh \
	%D%/crowd.sh \
	%D%/devices.sh \
	%D%/dsp0288.sh \
	%D%/diagnostic_data.sh \
	%D%/event_changes.sh \
	%D%/event_push.sh \
	%D%/event_service.sh \
	%D%/event_streams.sh \
	%D%/events.sh \
	%D%/fabric.sh \
	%D%/fleet_events.sh \
	%D%/history.sh \
	%D%/isolation.sh \
	%D%/openapi.sh \
	%D%/otlp.sh \
	%D%/page_actions.sh \
	%D%/host_name.sh \
	%D%/interfaces.sh \
	%D%/found.sh \
	%D%/incidents.sh \
	%D%/hostile.sh \
	%D%/journal.sh \
	%D%/lockout.sh \
	%D%/log.sh \
	%D%/login.sh \
	%D%/memory_schemas.sh \
	%D%/metrics.sh \
	%D%/protocol.sh \
	%D%/push_allow.sh \
	%D%/queries.sh \
	%D%/references.sh \
	%D%/reload.sh \
	%D%/renamed.sh \
	%D%/restart.sh \
	%D%/schemas.sh \
	%D%/sessions.sh \
	%D%/slow_queries.sh \
	%D%/start.sh \
	%D%/boot_repairs.sh \
	%D%/state_files.sh \
	%D%/stop.sh \
	%D%/store_faults.sh \
	%D%/storm.sh \
	%D%/sunfish.sh \
	%D%/subscription_owners.sh \
	%D%/system_id.sh \
	%D%/tls.sh \
	%D%/tasks.sh \
	%D%/translate.sh \
	%D%/two_boots.sh \
	%D%/update.sh \
	%D%/watchdog.sh
TESTS += $(http_scripts)
EXTRA_DIST += $(http_scripts) %D%/functions %D%/odd_hosts \
	%D%/accounts.py %D%/certificates.py %D%/sessions.py \
	%D%/assertions %D%/aggregator.py %D%/assertions.list %D%/assertions_client.py %D%/assertions_proto.py %D%/assertions_req.py \
	%D%/assertions_resp.py %D%/assertions_sec.py %D%/assertions_serv.py \
	%D%/client_flows.py %D%/clients.py %D%/clients_walk.py %D%/crowd.py %D%/csdl.py %D%/dsp0288.py \
	%D%/event_peers.py %D%/system_id.py %D%/event_push.py %D%/event_streams.py \
	%D%/mixed_load.py %D%/mixed_load.sh %D%/openapi.py %D%/odd_fabric.py %D%/odd_states.py %D%/openmetrics.py %D%/otlp.py %D%/otlp_peers.py \
	%D%/push_allow.py %D%/queries.py \
	%D%/redfish_client.py %D%/reload.py %D%/renamed.py %D%/sunfish.py %D%/sunfish_peers.py %D%/tls_memory.py %D%/two_boots.py %D%/validate_events.py %D%/validate_redfish.py \
	%D%/walk_redfish.py
