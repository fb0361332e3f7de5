# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Markers in each region, and what cxl-spa says of their addresses, in both directions. compare-markers compares
# these answers with the memory of the devices.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/three-way.sh
needs_program cxl-spa

: >"$RESULTS/spas"
for start in $REGIONS; do
	check "markers at $start" sh -c "markers $start $REGION_SIZE 800 $((start >> 20)) >>$RESULTS/spas"
done
check "cxl-spa: each SPA is of an exact DPA" \
	sh -c "cxl-spa translate --json - <$RESULTS/spas >$RESULTS/by_spa"
fields serial dpa <"$RESULTS/by_spa" >"$RESULTS/dpas"
for serial in $(serials); do
	grep "^$serial " "$RESULTS/dpas" | cut -d ' ' -f 2 >"$RESULTS/dpas-$serial"
	check "cxl-spa: each DPA of $serial has an exact SPA" sh -c \
		"cxl-spa translate --json serial:$serial - <$RESULTS/dpas-$serial >>$RESULTS/by_dpa"
done

check "cxl-spa: explain of $VM_KIND regions" sh -c "cxl-spa explain --json >$RESULTS/explain"
same "explain: the kernel's own address is not to be used" 2 \
	"$(grep -c '"code": *"REGION_KERNEL_ADDRESS"' "$RESULTS/explain")"
