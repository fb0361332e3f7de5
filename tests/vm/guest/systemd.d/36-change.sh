# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The helper that changes this host, by its units: it is started only when something is allowed, which a
# reload adds and removes; requests while it is killed, stopped or away; and the service that is killed.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

configure() {
	printf '%s\n' "listen = unix:$socket" "poll = 1" "$@" >$configuration
}

logged() { # UNIT TEXT
	journalctl --sync
	journalctl --no-pager --unit "$1" | grep -qF -- "$2"
}

# ---- nothing is allowed ----
configure
check "without allow the service starts" systemctl restart $service
check "the socket of the change helper is there" systemctl is-active $change_helper_socket
same "and it is not started" inactive "$(systemctl is-active $change_helper)"
same "the socket has the service's group" "660 root cxl-redfish" \
	"$(stat -c '%a %U %G' /run/cxl-redfish-change-helper/socket)"
pid=$(main_pid $service)

# ---- it is added by a reload ----
configure "allow = regions,memory"
check "a configuration with allow is loaded" systemctl reload $service
check "which starts the helper" wait_for systemctl is-active $change_helper
check "it has read it" wait_for logged $change_helper "changes that are allowed: regions, memory"
check "the service has found it" wait_for logged $service "changes of this host are made by cxl-redfish-change-helper"
same "it is the same service" "$pid" "$(main_pid $service)"
helper_pid=$(main_pid $change_helper)
same "the helper is not root" "$(awk -F: '$1 == "cxl-redfish-change-helper" { print $3 }' /etc/passwd)" \
	"$(awk '$1 == "Uid:" { print $2 }' "/proc/$helper_pid/status")"
same "no capability of it is effective, and it keeps two" "0000000000000000 0000000000020002 1 2" \
	"$(process_facts "$helper_pid")"
figure "RSS of the change helper in KiB" "$(rss "$helper_pid")"
check "the driver that makes dax devices system memory is there" test -d /sys/bus/dax/drivers/kmem

# ---- and removed ----
configure
check "a configuration without allow is loaded" systemctl reload $service
check "the helper has read it" wait_for logged $change_helper "changes that are allowed: none"
same "both are the same processes" "$pid $helper_pid" "$(main_pid $service) $(main_pid $change_helper)"
configure "allow = regions"
check "it is added again" systemctl reload $service
check "the helper has read that, too" wait_for logged $change_helper "changes that are allowed: regions"

# ---- it is killed or away ----
kill -KILL "$helper_pid"
is_back() {
	[ "$(systemctl is-active $change_helper)" = active ] && [ "$(main_pid $change_helper)" != "$helper_pid" ]
}
check "a helper that was killed is started again" wait_for is_back
systemctl stop $change_helper_socket $change_helper
check "without it the service says so" wait_for logged $service "no change of this host can be made"
same "and goes on" "200 $pid" "$(status_of Systems/Host/Memory) $(main_pid $service)"
check "its lock stays" test -d /run/cxl-redfish-change
systemctl start $change_helper_socket
check "it is started by its socket" wait_for is_back

rm $configuration
helper_pid=$(main_pid $change_helper)
systemctl restart $service
check "a restart of the service is one of it" wait_for is_back
same "and then nothing is allowed" "changes that are allowed: none" \
	"$(journalctl --sync; journalctl --no-pager --output cat --unit $change_helper | grep 'that are allowed' | tail -n 1)"
systemctl stop $change_helper
