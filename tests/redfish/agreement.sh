#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# list, map, translate, explain, plans and Redfish agree on captured hosts and on random machines with and without
# region objects. AGREEMENT_HOSTS names other captured hosts, or directories of them, beside all bundled ones;
# AGREEMENT_MACHINES=500 asks for so many machines, from AGREEMENT_SEED on.
. "${0%/*}/../cli/functions"
need_python

: "${AGREEMENT_MACHINES:=3}" "${AGREEMENT_SEED:=1}"
if [ -n "${AGREEMENT_HOSTS:-}" ]; then
	set -- "$hosts"/*.tar.zst
else
	set -- "$hosts/idle-7.3.tar.zst" "$hosts/plain-7.3.tar.zst"
fi
for named in ${AGREEMENT_HOSTS:-}; do
	if [ -d "$named" ] && [ ! -d "$named/sys" ]; then
		set -- "$@" "$named"/*.tar.zst
	else
		set -- "$@" "$named"
	fi
done
for host; do
	[ -e "$host" ] || fail "there is no captured host $host"
done
last=$((AGREEMENT_SEED + AGREEMENT_MACHINES - 1))
[ "$AGREEMENT_MACHINES" -eq 0 ] || for seed in $(seq "$AGREEMENT_SEED" $last); do
	./make_machine "$seed" "$scratch/machine-$seed" || fail "machine $seed cannot be made"
	set -- "$@" "$scratch/machine-$seed"
done
python3 -B "$srcdir/tests/redfish/agreement.py" "$spa" ./dump_redfish "$@" || fail "front ends disagree"
finish
