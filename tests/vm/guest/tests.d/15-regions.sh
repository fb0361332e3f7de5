# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# When firmware does not program the decoders, an administrator creates the same regions with ordinary
# decoders, for which the kernel can translate every address.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
[ "$VM_FAULT" = unprogrammed ] || exit 0

# memdev SERIAL: its name in this boot.
memdev() {
	basename "$(dirname "$(grep -lx "$1" /sys/bus/cxl/devices/mem*/serial)")"
}

# window BASE: the root decoder at this address.
window() {
	basename "$(dirname "$(grep -lx "$1" /sys/bus/cxl/devices/decoder0.*/start)")"
}

# region BASE SERIAL SERIAL
region() {
	cxl create-region -m -t ram -w 2 -g 256 -d "$(window "$1")" "$(memdev "$2")" "$(memdev "$3")"
}

check "a region in the window of the first bridge" region 0x210000000 0xabc0 0xabc1
check "a region in the window of the second bridge" region 0x310000000 0xabc2 0xabc3
same "regions" "0x210000000 0x310000000" "$(cat /sys/bus/cxl/devices/region*/resource | sort | xargs)"
