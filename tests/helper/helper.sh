#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The daemon and its helper as programs: which of them has which rights, what the helper refuses, and
# that the daemon goes on without it.
set -uo pipefail
umask 022

srcdir=${srcdir:-$(dirname "$0")/../..}
daemon=$PWD/cxl-redfishd
helper=$PWD/cxl-redfish-helper
if [ "$(id -u)" -ne 0 ]; then
	echo "SKIP: only root can drop privileges"
	exit 77
fi
scratch=$(mktemp -d) || exit 99
chmod 755 "$scratch"
pids=()
finish() {
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null
	wait
	rm -rf "$scratch"
}
trap finish EXIT
n_failed=0
fail() {
	echo "FAIL: $*"
	n_failed=$((n_failed + 1))
}

# until_logs FILE TEXT: within three minutes.
until_logs() {
	for _ in $(seq 1800); do
		grep -q -e "$2" "$1" 2>/dev/null && return 0
		sleep 0.1
	done
	fail "'$2' is not in the log: $(cat "$1")"
	return 1
}

# until_manager SOCKET has|lacks TEXT: the resource of the service.
until_manager() {
	for _ in $(seq 1800); do
		manager=$(curl -s --unix-socket "$1" http://localhost/redfish/v1/Managers/Service)
		case $2:$manager in
		has:*"$3"*) return 0 ;;
		lacks:*"$3"*) ;;
		lacks:*'"Conditions"'* | lacks:*'"Health"'*) return 0 ;;
		esac
		sleep 0.1
	done
	fail "the manager $2 not '$3': $manager"
}

# field PID NAME: of its status.
field() {
	sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"
}

# children PID
children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# 1. Started by hand by root: the daemon has no capability, its helper at most the four that it needs.
"$daemon" --listen "unix:$scratch/root.sock" --state "$scratch/state" >"$scratch/root.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/root.log" "^listening on" || exit 1
# On a busy machine the helper may answer later than the daemon waits for it at its start.
until_logs "$scratch/root.log" "is opened by cxl-redfish-helper"
for set in CapInh CapPrm CapEff CapAmb; do
	[ "$(field "$pid" $set)" = 0000000000000000 ] || fail "the daemon's $set: $(field "$pid" $set)"
done
[ "$(field "$pid" NoNewPrivs)" = 1 ] || fail "the daemon may gain privileges"
own=
for child in $(children "$pid"); do
	! tr '\0' ' ' <"/proc/$child/cmdline" | grep -q -e "--child" || own=$child
done
worker=$(children "${own:-0}")
worker=${worker%% *}
if [ -z "$worker" ]; then
	fail "there is no process that serves"
else
	# CAP_DAC_READ_SEARCH is 1 << 2, CAP_SYS_PTRACE 1 << 19, CAP_SYS_ADMIN 1 << 21, CAP_SYSLOG 1 << 34.
	[ $((0x$(field "$worker" CapPrm) & ~0x400280004)) -eq 0 ] ||
		fail "the helper may use $(field "$worker" CapPrm)"
	[ $((0x$(field "$worker" CapEff) & ~0x4)) -eq 0 ] || fail "the helper uses $(field "$worker" CapEff)"
	[ "$(field "$worker" NoNewPrivs)" = 1 ] || fail "the helper may gain privileges"
	# 2. When it ends, the daemon says so, and uses the next one.
	kill -KILL "$worker"
	until_logs "$scratch/root.log" "cxl-redfish-helper cannot be used"
	until_manager "$scratch/root.sock" has CXLHost.1.0.HelperUnavailable
	# The next one is found, and there is one line about each end. A helper that is late counts as one that has ended.
	for _ in $(seq 1800); do
		lost=$(grep -c "cannot be used" "$scratch/root.log")
		found=$(grep -c "is opened by cxl-redfish-helper" "$scratch/root.log")
		[ "$lost" -ge "$found" ] || break
		sleep 0.1
	done
	[ "$lost" -lt "$found" ] ||
		fail "the next helper is not found, or one end of it is logged more than once: $(cat "$scratch/root.log")"
	until_manager "$scratch/root.sock" lacks HelperUnavailable
fi
kill "$pid" && wait "$pid"
for _ in $(seq 1800); do
	[ -d "/proc/$own" ] || break
	sleep 0.1
done
[ ! -d "/proc/$own" ] || fail "the helper outlives the daemon"

for users in daemon,games,bin,sync no-such-user , daemon,no-such-user; do
	! "$helper" --user "$users" 2>"$scratch/users.log" || fail "--user $users is accepted"
	grep -q -- "--user" "$scratch/users.log" || fail "--user $users: $(cat "$scratch/users.log")"
done

# 3. As under systemd: the helper refuses whatever is not in its list.
begun=$SECONDS
python3 -B "$srcdir/tests/helper/helper.py" serve "$helper" "$scratch/helper.sock" games,daemon \
	>"$scratch/helper.log" 2>&1 &
pid=$!
pids+=("$pid")
for _ in $(seq 1800); do
	[ ! -S "$scratch/helper.sock" ] || break
	sleep 0.1
done
python3 -B "$srcdir/tests/helper/helper.py" forbidden "$scratch/helper.sock" daemon ||
	fail "what the helper must refuse"
python3 -B "$srcdir/tests/helper/helper.py" forbidden "$scratch/helper.sock" games ||
	fail "what the helper must refuse the other of its users"
python3 -B "$srcdir/tests/helper/helper.py" refused "$scratch/helper.sock" bin ||
	fail "another user"
# Two lines in ten seconds, and those of the start.
[ "$(wc -l <"$scratch/helper.log")" -le $((20 + (SECONDS - begun) / 5)) ] ||
	fail "a client fills the log: $(wc -l <"$scratch/helper.log") lines"
[ -d "/proc/$pid" ] || fail "the helper has ended: $(cat "$scratch/helper.log")"

# 4. A daemon of an ordinary user, with the helper of the system, and without it.
export CXL_REDFISH_HELPER_SOCKET=$scratch/helper.sock
# Where the programs are need not be a directory that other users may enter.
cp "$daemon" "$scratch/cxl-redfishd" && chmod 755 "$scratch/cxl-redfishd"
mkdir -m 777 "$scratch/run"
setpriv --reuid=daemon --regid=daemon --clear-groups "$scratch/cxl-redfishd" --listen "unix:$scratch/run/user.sock" \
	>"$scratch/user.log" 2>&1 &
user=$!
pids+=("$user")
until_logs "$scratch/user.log" "^listening on"
until_logs "$scratch/user.log" "is opened by cxl-redfish-helper"
kill "$pid"
until_logs "$scratch/user.log" "only what this user may read is shown"
status=$(curl -s -o "$scratch/answer" -w '%{http_code}' --unix-socket "$scratch/run/user.sock" \
	http://localhost/redfish/v1)
[ "$status" = 200 ] || fail "without the helper GET /redfish/v1 is answered by $status"
until_manager "$scratch/run/user.sock" has '"Severity":"Warning"'
until_manager "$scratch/run/user.sock" has "because cxl-redfish-helper cannot be used: Connection refused."
kill "$user" && wait "$user" || fail "the daemon ended with status $?"

# 5. A captured host has none.
cat >"$scratch/recorder" <<END
#!/bin/sh
touch "$scratch/was-started"
END
chmod 755 "$scratch/recorder"
env -u CXL_REDFISH_HELPER_SOCKET CXL_REDFISH_HELPER="$scratch/recorder" "$daemon" \
	--host "$srcdir/tests/hosts/zen5-doc.tar.zst" --listen "unix:$scratch/host.sock" >"$scratch/host.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/host.log" "^listening on"
[ ! -e "$scratch/was-started" ] || fail "a helper is started for a captured host"
! grep -q "cxl-redfish-helper" "$scratch/host.log" || fail "a captured host uses a helper: $(cat "$scratch/host.log")"
until_manager "$scratch/host.sock" lacks HelperUnavailable
kill "$pid" && wait "$pid" || fail "the daemon of a captured host ended with status $?"

# 6. The helper of switches: only what is configured, by files that it reads itself, at SIGHUP again.
switch_helper=$PWD/cxl-redfish-switch-helper
conf=$scratch/c.conf
# lists LINE...: what it lists.
lists() {
	printf '%s\n' "$@" >"$scratch/wanted"
	python3 -B "$srcdir/tests/helper/helper.py" switches "$scratch/switch.sock" >"$scratch/listed" 2>&1
	cmp -s "$scratch/wanted" "$scratch/listed" || fail "the switches are: $(cat "$scratch/listed"), not: $*"
}
printf 'poll = 20\nallow = fabric\n' >"$conf"
python3 -B "$srcdir/tests/helper/helper.py" serve "$switch_helper" "$scratch/switch.sock" daemon --config "$conf" \
	>"$scratch/switch.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/switch.log" "switch-mailbox is not configured"
[ $((0x$(field "$pid" CapPrm) & ~0x200002)) -eq 0 ] || fail "the switch helper may use $(field "$pid" CapPrm)"
[ "$(field "$pid" CapEff)" = 0000000000000000 ] || fail "the switch helper uses $(field "$pid" CapEff)"
[ "$(field "$pid" NoNewPrivs)" = 1 ] || fail "the switch helper may gain privileges"
lists "changes"
printf 'switch-mailbox = ffff:ff:1f.7\nnonsense = 1\n' >"$conf"
kill -HUP "$pid"
until_logs "$scratch/switch.log" "switch-mailbox is ffff:ff:1f.7; changes are not allowed"
lists "ffff:ff:1f.7: there is no such PCI function" "no changes"
for line in "allow = all" "switch-mailbox" "Switch = 1" "switch-mailbox = x"; do
	: >"$scratch/switch.log"
	printf 'poll = 20\n%s\n' "$line" >"$conf"
	kill -HUP "$pid"
	until_logs "$scratch/switch.log" "the configuration remains as it was: $conf:2"
done
lists "ffff:ff:1f.7: there is no such PCI function" "no changes"
python3 -B "$srcdir/tests/helper/helper.py" refused "$scratch/switch.sock" bin || fail "another user of the switch helper"
kill "$pid"

# 7. Root's daemon starts one only if it is configured.
"$daemon" --listen "unix:$scratch/switches.sock" --switch-mailbox auto --allow fabric >"$scratch/switches.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/switches.log" "switch-mailbox is auto; changes are allowed"
until_logs "$scratch/switches.log" "^listening on"
[ "$(field "$pid" CapPrm)" = 0000000000000000 ] || fail "the daemon's CapPrm: $(field "$pid" CapPrm)"
kill "$pid" && wait "$pid"
! grep -q "switch-mailbox" "$scratch/root.log" || fail "the switch helper is started without being configured"

# 8. So it does with the helper that changes the host, which has the options of the start.
"$daemon" --listen "unix:$scratch/changes.sock" --allow memory,fabric --allow poison >"$scratch/changes.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/changes.log" "changes that are allowed: memory, poison$"
until_logs "$scratch/changes.log" "^listening on"
until_logs "$scratch/changes.log" "changes of this host are made by cxl-redfish-change-helper"
[ "$(field "$pid" CapPrm)" = 0000000000000000 ] || fail "the daemon's CapPrm: $(field "$pid" CapPrm)"
own=
for child in $(children "$pid"); do
	! tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "cxl-redfish-change-helper.*--child" || own=$child
done
worker=$(children "${own:-0}")
worker=${worker%% *}
if [ -z "$worker" ]; then
	fail "no process makes changes"
else
	# CAP_DAC_OVERRIDE is 1 << 1, CAP_SYS_RAWIO 1 << 17, CAP_SYS_PTRACE 1 << 19, CAP_SYS_ADMIN 1 << 21.
	[ $((0x$(field "$worker" CapPrm) & ~0x2a0002)) -eq 0 ] ||
		fail "the change helper may use $(field "$worker" CapPrm)"
	[ "$(field "$worker" CapEff)" = 0000000000000000 ] || fail "the change helper uses $(field "$worker" CapEff)"
	[ "$(field "$worker" NoNewPrivs)" = 1 ] || fail "the change helper may gain privileges"
	# Passphrases are in its memory.
	! setpriv --reuid="$(stat -c %u "/proc/$worker/exe")" --bounding-set=-all --inh-caps=-all \
		head -c 1 "/proc/$worker/environ" >/dev/null 2>&1 || fail "other processes may read the change helper"
	kill -KILL "$worker"
	for _ in $(seq 1800); do
		[ "$(grep -c "changes that are allowed" "$scratch/changes.log")" -lt 2 ] || break
		sleep 0.1
	done
	[ "$(grep -c "changes that are allowed" "$scratch/changes.log")" -eq 2 ] ||
		fail "the change helper is not started again: $(cat "$scratch/changes.log")"
fi
kill "$pid" && wait "$pid"
for _ in $(seq 1800); do
	[ -d "/proc/$own" ] || break
	sleep 0.1
done
[ ! -d "/proc/$own" ] || fail "the change helper outlives the daemon"
! grep -q "change-helper" "$scratch/root.log" || fail "the change helper is started without being allowed anything"

# 9. The system's reads what it may do from its files, at SIGHUP again.
change_helper=$PWD/cxl-redfish-change-helper
printf 'poll = 20\nallow = regions,security\n' >"$conf"
python3 -B "$srcdir/tests/helper/helper.py" serve "$change_helper" "$scratch/change.sock" daemon --config "$conf" \
	>"$scratch/change.log" 2>&1 &
pid=$!
pids+=("$pid")
until_logs "$scratch/change.log" "changes that are allowed: regions, security$"
printf 'nonsense = 1\n' >"$conf"
kill -HUP "$pid"
until_logs "$scratch/change.log" "changes that are allowed: none"
: >"$scratch/change.log"
printf 'allow = all\n' >"$conf"
kill -HUP "$pid"
until_logs "$scratch/change.log" "the configuration remains as it was: $conf:1"
python3 -B "$srcdir/tests/helper/helper.py" refused "$scratch/change.sock" bin || fail "another user of the change helper"
kill -TERM "$pid"
for _ in $(seq 1800); do
	[ -d "/proc/$pid" ] || break
	sleep 0.1
done
wait "$pid" || fail "the change helper ended with status $?"

# 10. A reload of its unit begins with a check: no socket, no user is needed.
for program in change page switch; do
	program=$PWD/cxl-redfish-$program-helper
	printf 'allow = all\n' >"$conf"
	! "$program" --check-config --config "$conf" 2>"$scratch/check.log" || fail "$program takes a mistake"
	grep -q "$conf:1: allow: " "$scratch/check.log" || fail "$program names no mistake: $(cat "$scratch/check.log")"
	printf 'allow = fabric\nnonsense = 1\n' >"$conf"
	"$program" --check-config --config "$conf" || fail "$program refuses a configuration with keys of others"
done

[ $n_failed -eq 0 ]
