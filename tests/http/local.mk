# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Scripts that ask the real daemon.
http_scripts = \
	%D%/devices.sh \
	%D%/event_push.sh \
	%D%/event_service.sh \
	%D%/event_streams.sh \
	%D%/events.sh \
	%D%/hostile.sh \
	%D%/log.sh \
	%D%/login.sh \
	%D%/metrics.sh \
	%D%/protocol.sh \
	%D%/references.sh \
	%D%/schemas.sh \
	%D%/start.sh \
	%D%/state_upgrade.sh \
	%D%/stop.sh \
	%D%/storm.sh \
	%D%/translate.sh \
	%D%/watchdog.sh
TESTS += $(http_scripts)
EXTRA_DIST += $(http_scripts) %D%/functions %D%/odd_hosts \
	%D%/csdl.py %D%/event_peers.py %D%/event_push.py %D%/event_streams.py %D%/odd_fabric.py \
	%D%/openmetrics.py %D%/redfish_client.py %D%/validate_events.py %D%/validate_redfish.py \
	%D%/walk_redfish.py
