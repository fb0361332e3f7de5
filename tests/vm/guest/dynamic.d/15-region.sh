# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A region is configured. QEMU's devices have blocks of one size, which can be set once more, and the device then tells
# its host nothing.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

start_manager
change "the size of blocks is set" 200 PATCH "$ld/MemoryRegions/dc1" '{"BlockSizeMiB": 2}'
shows "it is what it was" 2 "$ld/MemoryRegions/dc1" .BlockSizeMiB
same "the device has no record of that" "" "$(records)"
change "a size that the device does not list is refused" 400 PATCH "$ld/MemoryRegions/dc1" '{"BlockSizeMiB": 4}'
change "it cannot be sanitized" 400 PATCH "$ld/MemoryRegions/dc1" '{"SanitizeOnRelease": true}'
stop_redfishd "$socket"
