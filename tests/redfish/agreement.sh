#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# list, map, translate, explain, plans and Redfish agree on captured hosts and on random machines, with and without
# region objects. AGREEMENT_HOSTS names captured hosts, or directories of them, instead of all bundled ones and those
# of ../shared; AGREEMENT_MACHINES=500 asks for so many machines, from AGREEMENT_SEED on.
. "${0%/*}/../cli/functions"
need_python
command -v zstd >/dev/null || skip "zstd is missing, which unpacks captured hosts here (Debian package: zstd)"

: "${AGREEMENT_MACHINES:=3}" "${AGREEMENT_SEED:=1}"
: "${AGREEMENT_HOSTS=$hosts $(ls -d "$srcdir/../shared/wild/hosts" 2>/dev/null)}"

agree() {
	python3 -B "$srcdir/tests/redfish/agreement.py" "$spa" ./dump_redfish "$scratch" "$@" ||
		fail "front ends disagree: $*"
}

set --
for named in $AGREEMENT_HOSTS; do
	if [ -d "$named" ] && [ ! -d "$named/sys" ]; then
		set -- "$@" "$named"/*.tar.zst
	else
		set -- "$@" "$named"
	fi
done
for host; do
	[ -e "$host" ] || fail "there is no captured host $host"
done
for kind in interleaved partitions; do
	"$hosts/make-dynamic-host" "$kind" "$hosts" "$scratch/dynamic-$kind" || exit 99
	set -- "$@" "$scratch/dynamic-$kind"
done
agree "$@"
seed=$AGREEMENT_SEED
while [ "$seed" -lt $((AGREEMENT_SEED + AGREEMENT_MACHINES)) ]; do
	./make_machine "$seed" "$scratch/machine-$seed" || fail "machine $seed cannot be made"
	agree "$scratch/machine-$seed"
	rm -rf "$scratch/machine-$seed"
	seed=$((seed + 1))
done
finish
