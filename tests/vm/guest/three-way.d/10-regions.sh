# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# One region over all devices in each window of three bridges, created here, or built by the kernel from
# the decoders that init committed.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/three-way.sh

# create START: the kernel allows no other granularity than the window's, 256 bytes.
create() {
	local window serial
	window=$(basename "$(dirname "$(grep -lx "$1" /sys/bus/cxl/devices/decoder0.*/start)")")
	set --
	for serial in $(serials); do
		set -- "$@" "$(memdev "$serial")"
	done
	cxl create-region -m -t ram -w "$VM_WAYS" -g 256 -s "$REGION_SIZE" -d "$window" "$@"
}

if [ "$VM_KIND" = created ]; then
	for start in $REGIONS; do
		check "cxl create-region at $start" create "$start"
	done
fi
same "regions" "$REGIONS" "$(cat /sys/bus/cxl/devices/region*/resource | sort | xargs)"
same "they are committed" "1 1" "$(cat /sys/bus/cxl/devices/region*/commit | xargs)"
same "their ways" "$VM_WAYS $VM_WAYS" "$(cat /sys/bus/cxl/devices/region*/interleave_ways | xargs)"
same "their granularity" "256 256" "$(cat /sys/bus/cxl/devices/region*/interleave_granularity | xargs)"

# /dev/mem denies access to memory that the kernel manages.
for dax in /sys/bus/dax/drivers/kmem/dax*; do
	[ ! -e "$dax" ] || basename "$dax" >/sys/bus/dax/drivers/kmem/unbind
done
same "no region is system memory" "" "$(grep -o 'System RAM (kmem)' /proc/iomem | head -n 1)"
