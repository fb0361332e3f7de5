#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-redfish-repair: its configuration, what it says of a state directory that it cannot use, and of a worklist that it leaves.
. "${0%/*}/functions"
needs_python
repair=${CXL_REDFISH_REPAIR:-./cxl-redfish-repair}
state=$scratch/state

# run STATUS ARGUMENT...: what it says is in $said.
run() {
	wanted_status=$1
	shift
	status=0
	said=$("$repair" "$@" 2>&1) || status=$?
	[ "$status" -eq "$wanted_status" ] || fail "$*: status $status instead of $wanted_status: $said"
}

says() {
	case $said in
	*"$1"*) ;;
	*) fail "'$1' is not in: $said" ;;
	esac
}

configure() {
	printf '%s\n' "$@" >"$scratch/conf"
}

# sql STATEMENTS
sql() {
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript(sys.argv[2])
db.commit()' "$state/state.db" "$1"
}

# ---- the configuration
configure
run 0 --config "$scratch/conf" --state "$state"
says "no repair is made without a person: repair-policy is off"
configure "allow = repair" "repair-policy = off"
run 0 --config "$scratch/conf" --state "$state"
says "repair-policy is off"
configure "allow = repair" "repair-policy = always"
run 1 --config "$scratch/conf" --state "$state"
says "conf:2: repair-policy: requires one of off, observe, unused, not 'always'"
run 1 --config "$scratch/none" --state "$state"
says "no repair is made: "
run 2 --repair-policy always
says "requires one of off, observe, unused"
run 2 now
says "unexpected argument 'now'"
configure "repair-policy = unused" "allow = scrub"
run 0 --config "$scratch/conf" --state "$state"
says "no repair is made: repair-policy is unused, but allow has no repair"
run 0 --version
run 0 --help

# ---- the state directory
run 0 --repair-policy unused --allow repair --state "$state"
says "no repair is made: there is no state database yet"
[ ! -e "$state" ] || fail "a state directory was made"
start idle-7.3 --listen "unix:$socket" --state "$state"
stop
run 0 --repair-policy unused --allow repair --state "$state"
says "no place of the worklist of repairs is to be tried without a person"
configure "repair-policy = observe"
run 0 --config "$scratch/conf" --state "$state"
says "no place of the worklist of repairs is to be tried without a person"

# A wish of a device that no machine of this test has, and one that may have used a spare.
entry='"serial":43977,"dpa":4097,"known":0,"nibble_mask":0,"channel":0,"rank":0,"bank_group":0,"bank":0,"row":0,"column":0,
	"sub_channel":0,"asked":1,"dram":1,"tries":0,"repaired":0,"used":0,"event":1,"device_ns":0,"settled":0,"text":"","pages":"",
	"op_class":1,"op_subclass":0,"live":0,"fault":0,"alone":0,"unresolved":0,"begun":0,"ended":0,"begun_boot_a":0,
	"begun_boot_b":0,"confirmed":0'
columns='id, device, place, state, incident, unasked, boot, body'
sql "INSERT INTO repairs ($columns) VALUES (1, 'cxl-000000000000abc9', 'a', 0, 0, 0, zeroblob(16), '{$entry}');
	INSERT INTO repairs ($columns) VALUES (2, 'cxl-000000000000abc9', 'b', 4, 0, 0, zeroblob(16), '{$entry}')"
run 0 --repair-policy observe --state "$state"
says "repair 1 of cxl-000000000000abc9 is left: no device of this host has its serial number"
says "repair 2 of cxl-000000000000abc9 is left: it was accepted, and no event confirmed it"
says "repairs without a person: 0 done, 0 accepted and not confirmed yet, 0 refused, 2 left"
run 0 --repair-policy unused --state "$state"
says "no repair is made: repair-policy is unused, but allow has no repair"

# A database of a later version, a damaged one, and one that is none stay as they are.
cp "$state/state.db" "$scratch/kept"
sql "PRAGMA user_version = 99"
run 1 --repair-policy observe --state "$state"
says "no repair is made: "
says "version"
cp "$scratch/kept" "$state/state.db"
sql "UPDATE repairs SET body = '{}' WHERE id = 1"
run 1 --repair-policy observe --state "$state"
says "is damaged (a repair has values that are not possible)"
rm -f "$state"/state.db*
printf 'this is no database, and is long enough to be looked at as one would be\n%01024d\n' 0 >"$state/state.db"
cp "$state/state.db" "$scratch/none.db"
run 1 --repair-policy observe --state "$state"
says "no repair is made: "
cmp -s "$scratch/none.db" "$state/state.db" || fail "a file that is no database was changed"

finish
