# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The server alone, and scripts that send requests to the real daemon.
if HAVE_CHECK
check_PROGRAMS += check_http check_tls
TESTS += check_http check_tls
endif
check_http_CFLAGS = $(suite_cflags)
check_http_SOURCES = %D%/check_http.c
check_http_LDADD = $(HTTP_LINK) $(CHECK_LIBS)
check_tls_CFLAGS = $(suite_cflags)
check_tls_SOURCES = %D%/check_tls.c
check_tls_LDADD = $(HTTP_LINK) $(CHECK_LIBS)

http_scripts = \
	%D%/clients.sh \
	%D%/audit.sh \
	%D%/crowd.sh \
	%D%/devices.sh \
	%D%/event_push.sh \
	%D%/event_service.sh \
	%D%/event_streams.sh \
	%D%/events.sh \
	%D%/hostile.sh \
	%D%/journal.sh \
	%D%/log.sh \
	%D%/login.sh \
	%D%/metrics.sh \
	%D%/protocol.sh \
	%D%/references.sh \
	%D%/reload.sh \
	%D%/schemas.sh \
	%D%/slow_queries.sh \
	%D%/start.sh \
	%D%/state_upgrade.sh \
	%D%/stop.sh \
	%D%/store_faults.sh \
	%D%/storm.sh \
	%D%/translate.sh \
	%D%/watchdog.sh
TESTS += $(http_scripts)
EXTRA_DIST += $(http_scripts) %D%/functions %D%/odd_hosts \
	%D%/clients.py %D%/crowd.py %D%/csdl.py %D%/event_peers.py %D%/event_push.py %D%/event_streams.py %D%/odd_fabric.py \
	%D%/mixed_load.py %D%/mixed_load.sh %D%/openmetrics.py %D%/redfish_client.py %D%/validate_events.py %D%/validate_redfish.py \
	%D%/walk_redfish.py
