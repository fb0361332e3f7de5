# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Repairs at boot by cxl-redfish-repair.service, in its sandbox and by the change helper: the wish is of an earlier run, and the
# device has another name since. The bytes that reach the mock device are the witness.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh
needs_program add_repair

unit=cxl-redfish-repair.service
state=/var/lib/cxl-redfish/state.db
driver=/sys/bus/platform/drivers/cxl_mock_mem
memdev_of() {
	basename "/sys/bus/platform/devices/$1"/mem[0-9]*
}
serial_of() {
	cat "/sys/bus/platform/devices/$1"/mem[0-9]*/serial
}
has_edac() {
	[ -e "/sys/bus/edac/devices/cxl_$(memdev_of "$1")/mem_repair4/repair_type" ]
}

# maintenance MOCK: how many operations came, and the last one.
maintenance() {
	cat "/sys/bus/platform/devices/$1/maintenance"
}
# entries FILTER: of the worklist.
entries() {
	cxl-spa repair --json | jq -r "[.repairs[] | $1] | join(\" \")"
}
# boot: whether the unit succeeds. systemd forgets it when it has ended, so that the journal before it is kept in mind.
boot() {
	journalctl --sync
	journalctl --no-pager --lines 0 --show-cursor | sed -n 's/^-- cursor: //p' >"$work/cursor"
	if systemctl start $unit; then
		echo success
	else
		echo failure
	fi
}
# says NAME TEXT: the last run of the unit did.
says() {
	journalctl --sync
	journalctl --no-pager --unit $unit -o cat --after-cursor "$(cat "$work/cursor")" >"$work/said"
	contains "$1" "$2" "$work/said"
}

systemctl stop "$service"
start_units "allow = repair"
wait_for [ -s $state ]
same "it is ordered before the service" yes \
	"$(systemctl show --property Before --value $unit | grep -qw cxl-redfishd.service && echo yes || echo no)"
same "and after the driver" yes \
	"$(systemctl show --property After --value $unit | grep -qw modprobe@cxl_mem.service && echo yes || echo no)"
systemctl stop "$service"
serial=$(serial_of cxl_mem.9)
used=$(serial_of cxl_mem.0)
former=$(memdev_of cxl_mem.9)
check "a device asked for a repair" add_repair $state "$serial" ppr 0x1000
check "and for a sparing" add_repair $state "$serial" row-sparing 0x2000
check "a device that is used did, too" add_repair $state "$used" ppr 0x1000
before=$(maintenance cxl_mem.9 | cut -d ' ' -f 1)
before_used=$(maintenance cxl_mem.0)

# ---- nothing without a policy
same "without a policy it ends" success "$(boot)"
says "and says so" "no repair is made without a person: repair-policy is off"
configure "allow = repair" "repair-policy = observe"
same "observe ends well" success "$(boot)"
says "and says what it would do" "is left: it would be made (repair-policy = observe does nothing)"
configure "repair-policy = unused"
same "without a permission it ends well" success "$(boot)"
says "and says why" "no repair is made: repair-policy is unused, but allow has no repair"
same "nothing reached the device" "$before" "$(maintenance cxl_mem.9 | cut -d ' ' -f 1)"

# ---- another name, as after a boot
rename() { # FIRST SECOND: of the two mock devices, by the order in which they are bound again
	echo cxl_mem.8 >$driver/unbind
	echo cxl_mem.9 >$driver/unbind
	echo "$1" >$driver/bind
	wait_for has_edac "$1"
	echo "$2" >$driver/bind
	wait_for has_edac "$2"
}
rename cxl_mem.8 cxl_mem.9
[ "$(memdev_of cxl_mem.9)" != "$former" ] || rename cxl_mem.9 cxl_mem.8
check "the device has another name" [ "$(memdev_of cxl_mem.9)" != "$former" ]
same "and its serial number" "$serial" "$(serial_of cxl_mem.9)"
before=$(maintenance cxl_mem.9 | cut -d ' ' -f 1)

# ---- the repair
configure "allow = repair" "repair-policy = unused"
systemctl stop "$change_helper"
same "the unit ends well" success "$(boot)"
says "the place of the idle device is repaired" "repair 1 of cxl-$(printf '%016x' "$serial") is done"
says "the sparing is accepted" "a repair is not confirmed yet: repair 2 of"
says "the device that is used is left" "repair 3 of cxl-$(printf '%016x' "$used") is left: "
same "two operations reached the device" $((before + 2)) "$(maintenance cxl_mem.9 | cut -d ' ' -f 1)"
same "the last is the sparing, with its values" 02010801025634120304230100000000 "$(maintenance cxl_mem.9 | cut -d ' ' -f 2)"
same "none reached the other" "$before_used" "$(maintenance cxl_mem.0)"
same "the worklist says so" "done accepted-unconfirmed waiting" "$(entries .state)"
same "each was tried once" "1 1 0" "$(entries .tries)"
same "it ran as the user of the service" "$(id -u cxl-redfish)" \
	"$(journalctl --no-pager --unit $unit -o json _COMM=cxl-redfish-rep | tail -n 1 | jq -r ._UID)"

# ---- once
same "another run ends well" success "$(boot)"
says "what may have used a spare is left" "repair 2 of cxl-$(printf '%016x' "$serial") is left: it was accepted, and no event confirmed it"
same "nothing is repeated" $((before + 2)) "$(maintenance cxl_mem.9 | cut -d ' ' -f 1)"

# ---- a device that refuses
check "the device asks for another place" add_repair $state "$serial" ppr 0x3000
echo "0x0600 4" >/sys/bus/platform/devices/cxl_mem.9/mbox_fail
for n in 1 2 3; do
	same "refusal $n is no failure of the unit" success "$(boot)"
	says "it is said" "a repair is refused: repair 4 of"
done
same "after three it is left" success "$(boot)"
says "to a person" "it was tried 3 times without a person; cxl-spa repair 4 tries it"
echo "0 0" >/sys/bus/platform/devices/cxl_mem.9/mbox_fail
check "who repairs it" cxl-spa repair 4
same "the DPA has its flags, and the nibble mask is that of the record" 0100000130000000000000563412 \
	"$(maintenance cxl_mem.9 | cut -d ' ' -f 2)"

# ---- a file that cannot be read, without its log, from which SQLite would recover it
mkdir /run/kept
mv $state* /run/kept/
printf 'no database' >$state
same "a worklist that cannot be read is a failure" failure "$(boot 2>/dev/null)"
says "and says why" "no repair is made: "
rm -f $state*
mv /run/kept/* "$(dirname $state)/"
systemctl reset-failed $unit
check "the service starts all the same" systemctl start "$service"
journalctl --no-pager --unit $unit >"$work/journal-repair"
