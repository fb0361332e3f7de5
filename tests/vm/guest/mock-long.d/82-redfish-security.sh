# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Passphrases, erasing and overwriting by Redfish, and that a passphrase is found nowhere afterwards: not
# in processes, logs, tasks, files or captures.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper

work=$RESULTS/redfish-security
mkdir -p "$work/state"
mock_name=cxl_mem.7
memdev=$(memdev_of $mock_name)
mock=$(mock_of "$memdev")
memory=$host/Memory/$(memory_id "$memdev")
used=$host/Memory/$(memory_id "$(memdev_of cxl_mem.0)") # part of a region
first='correct horse battery 4711'
second='staple "quoted" 0815'
second_json='staple \"quoted\" 0815'
actions=$memory/Actions/Memory
rm -rf /var/lib/cxl-redfish-change
mkdir -p /var/lib

start_redfishd "$socket" "$work/log" --state "$work/state" --allow=security,memory
becomes "its state is shown" Disabled value "$memory" .SecurityState

# Arguments, environments and keys of processes meanwhile.
: >"$work/looking"
(while [ -e "$work/looking" ]; do
	cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/keys 2>/dev/null
	sleep 0.3
done) >"$work/seen-of-processes" &
looking=$!

# body PASSPHRASE [OLD]
body() {
	if [ $# -gt 1 ]; then
		printf '{"RegionId": "pmem", "Passphrase": "%s", "Oem": {"CXLHost": {"OldPassphrase": "%s"}}}' "$1" "$2"
	else
		printf '{"RegionId": "pmem", "Passphrase": "%s"}' "$1"
	fi
}

state() {
	shows "$1" "$2" "$memory" .SecurityState
}

# ---- set and change
change "none is disabled" 400 POST "$actions.DisablePassphrase" "$(body "$first")"
says "because there is none" "has no passphrase"
change "an empty one is none" 400 POST "$actions.SetPassphrase" "$(body "")"
change "the volatile memory has none" 400 POST "$actions.SetPassphrase" '{"RegionId": "volatile", "Passphrase": "x"}'
change "a passphrase is set" 204 POST "$actions.SetPassphrase" "$(body "$first")"
state "it is shown at once" Enabled
shows "also of its region" true "$memory" 'any(.Regions[]; .PassphraseEnabled)'
change "it is not set again without the present one" 403 POST "$actions.SetPassphrase" "$(body "$second_json")"
says "which is said, with the remedy" "give it as the old one"
change "nor with a wrong one" 403 POST "$actions.SetPassphrase" "$(body "$second_json" wrong)"
change "it is changed with the present one" 204 POST "$actions.SetPassphrase" "$(body "$second_json" "$first")"
change "the old one opens nothing" 403 POST "$actions.DisablePassphrase" "$(body "$first")"
change "a device with a passphrase is not overwritten" 409 POST "$actions.OverwriteUnit" '{"RegionId": "all"}'
says "because of that" "disable the passphrase first"

# ---- locked: its driver is bound again meanwhile, and has no key
echo 1 >"$mock/security_lock"
change "a device that was reset is disabled" 200 PATCH "$memory" '{"Enabled": false}'
change "and enabled" 200 PATCH "$memory" '{"Enabled": true}'
state "it is locked" Locked
change "it is not unlocked by a wrong passphrase" 403 POST "$actions.UnlockUnit" "$(body "$first")"
change "nor does it get a new one" 409 POST "$actions.SetPassphrase" "$(body "$first" "$second_json")"
says "before it is unlocked" "unlock it first"
state "it stays locked" Locked
change "it is unlocked by its passphrase" 204 POST "$actions.UnlockUnit" "$(body "$second_json")"
state "it is shown at once" Enabled
change "its passphrase is removed" 204 POST "$actions.DisablePassphrase" "$(body "$second_json")"
state "that is shown, too" Disabled

# ---- erase
change "a passphrase is set" 204 POST "$actions.SetPassphrase" "$(body "$first")"
change "a wrong one does not erase" 403 POST "$actions.SecureEraseUnit" "$(body "$second_json")"
change "the persistent memory is erased by its passphrase" 204 POST "$actions.SecureEraseUnit" "$(body "$first")"
state "it has none then" Disabled
change "all memory is erased without one" 204 POST "$actions.SecureEraseUnit" '{"RegionId": "all"}'
change "and with one it is refused" 400 POST "$actions.SecureEraseUnit" "{\"RegionId\": \"all\", \"Passphrase\": \"$first\"}"

# ---- overwrite: the device is busy for as long as sanitize_timeout
mock=$(mock_of "$(memdev_of $mock_name)")
echo 20000 >"$mock/sanitize_timeout"
begin POST "$actions.OverwriteUnit" '{"RegionId": "all"}'
same "it is overwritten as a Task" "202 Running" "$status $(jq -r .TaskState "$work/body")"
task=$(jq -r '."@odata.id"' "$work/body")
overwriting=$(monitor)
begin POST "$actions.SecureEraseUnit" '{"RegionId": "all"}'
same "meanwhile it is not erased" 409 "$status"
finish "$overwriting"
same "it ends" 204 "$status"
shows "the Task has it" "Completed 100" "$task" '"\(.TaskState) \(.PercentComplete)"'
echo 0 >"$mock/sanitize_timeout"
change "one in a region is not overwritten" 409 POST "$used/Actions/Memory.OverwriteUnit" '{"RegionId": "all"}'
says "because of it" "region0"

# ---- refused by the device, and slow
echo "0x4501 4" >"$mock/mbox_fail"
begin POST "$actions.SetPassphrase" "$(body "$first")"
finish
case $status in
[45]??) ok "a passphrase that the device does not take is not set ($status)" ;;
*) not_ok "a passphrase that the device does not take is not set" "$status" ;;
esac
echo "0 0" >"$mock/mbox_fail"
state "its state stays" Disabled
same "no key is left of it" "" "$(ls /var/lib/cxl-redfish-change/keys)"
echo 1200 >"$mock/mbox_delay_ms"
begin POST "$actions.SetPassphrase" "$(body "$first")"
same "of a slow device it is a Task" 202 "$status"
finish
same "which sets it" 204 "$status"
echo 0 >"$mock/mbox_delay_ms"
state "as is shown" Enabled

# ---- the master passphrase, and Frozen by PATCH, of another device
other=$host/Memory/$(memory_id "$(memdev_of cxl_mem.8)")
master=$other/Actions/Memory
change "a master passphrase is set" 204 POST "$master.SetMasterPassphrase" "$(body "$first")"
change "it is changed with the present one" 204 POST "$master.SetMasterPassphrase" "$(body "$second_json" "$first")"
change "the old one does not disable it" 403 POST "$master.DisableMasterPassphrase" "$(body "$first")"
change "it is disabled" 204 POST "$master.DisableMasterPassphrase" "$(body "$second_json")"
change "that of the user is set" 204 POST "$master.SetPassphrase" "$(body "$first")"
change "it is frozen by PATCH" 200 PATCH "$other" '{"SecurityState": "Frozen"}'
same "the answer has that" Frozen "$(jq -r .SecurityState "$work/body")"

# ---- frozen
change "only Frozen can be set by PATCH" 400 PATCH "$memory" '{"SecurityState": "Unlocked"}'
says "which is said" "Memory.UnlockUnit"
change "it is frozen" 204 POST "$actions.FreezeSecurityState"
state "as is shown" Frozen
change "its passphrase is not removed then" 409 POST "$actions.DisablePassphrase" "$(body "$first")"
says "until a reset" "frozen until the next reset"

# ---- where a passphrase could be
rm "$work/looking"
wait $looking
get /redfish/v1/TaskService/Tasks >"$work/seen-of-tasks"
for uri in $(jq -r '.Members[]."@odata.id"' "$work/seen-of-tasks"); do
	get "$uri" >>"$work/seen-of-tasks"
done
same "there are tasks" yes "$(grep -q Memory.SetPassphrase "$work/seen-of-tasks" && echo yes)"
get /redfish/v1/Managers/Service/LogServices/Audit/Entries >"$work/seen-of-audit"
same "there are entries of the audit log" yes "$(grep -q Memory.SetPassphrase "$work/seen-of-audit" && echo yes)"
dmesg >"$work/seen-of-kernel"
cat /var/lib/cxl-redfish-change/keys/* >"$work/seen-of-keys"
same "the keys are there" 2 "$(grep -c '^blob enc32 ' "$work/seen-of-keys")"
cxl-spa capture "$work/host.tar.zst"
zstd -dc "$work/host.tar.zst" >"$work/seen-of-capture"
same "there is a capture" yes "$(grep -qa "$memdev" "$work/seen-of-capture" && echo yes)"
# The service, its helper that reads and the one that changes. Stacks, which are 8 MiB, are read by their end in use.
for pid in $redfishd $(grep -l "^PPid:[[:space:]]*$redfishd\$" /proc/[0-9]*/status | cut -d / -f 3); do
	cat "/proc/$pid/maps" >"$work/maps-$pid"
	# shellcheck disable=SC2034 # the fields of a line
	while read -r range mode rest; do
		case $mode in rw*) ;; *) continue ;; esac
		end=$((0x${range#*-} / 4096))
		pages=$((end - 0x${range%-*} / 4096))
		[ $pages -ne 2048 ] || pages=256
		dd if="/proc/$pid/mem" bs=4096 skip=$((end - pages)) count=$pages 2>/dev/null
	done <"$work/maps-$pid" | tr -d '\000' >"$work/memory-of-$pid"
done
cp "$work/log" "$work/seen-of-log"
for file in "$work"/state/*; do
	cp "$file" "$work/seen-of-state-${file##*/}"
done
printf '%s\n' "$first" "$second" "$second_json" >/run/passphrases
printf 'a\000b %s c\n' "$first" >"$work/known"
same "what is searched would be found" "$work/known" "$(having /run/passphrases "$work/known")"
same "no process, log, task, file or capture has a passphrase" "" "$(having /run/passphrases "$work"/seen-of-*)"
same "the memory of the processes was read" 3 "$(find "$work" -name 'memory-of-*' -size +10k | wc -l)"
same "no memory of the processes has one" "" "$(having /run/passphrases "$work"/memory-of-*)"
rm "$work"/memory-of-* /run/passphrases
# The kernel keeps for a time that the driver searched a key in vain: N, a negative key.
same "no key stays in the kernel" "" "$(grep -e nvdimm: -e cxl-redfish /proc/keys | awk '$2 !~ /N/')"
stop_redfishd "$socket"
