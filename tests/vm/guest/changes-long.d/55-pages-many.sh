# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A thousand pages of a file in the memory of a region are taken out of use; no state database limits them. The file keeps its
# contents. The kernel may refuse a few, which are then in use.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program run_change

work=$RESULTS/pages-many
mkdir -p "$work" /run/file
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
check "a file system has its memory there" \
	mount -t tmpfs -o "mpol=bind:$(cat "/sys/bus/dax/devices/$dax/target_node")" pages /run/file
dd if=/dev/urandom of=/run/file/data bs=64k count=512 2>/dev/null
before=$(md5sum /run/file/data)
pages=$(frames_with "$LRU" "$dax" 1000)
started=$(hundredths)
# shellcheck disable=SC2034 # of page()
state=/run/no-state
# shellcheck disable=SC2086 # several
page offline $pages >"$work/outcomes"
figure "1/100 s for 1000 pages" $(($(hundredths) - started))
taken=$(grep -c '^done ' "$work/outcomes")
figure "of 1000 pages, taken out" "$taken"
check "at least 990 of 1000 are out" test "$taken" -ge 990
same "as many have bit 19" "$taken" "$(frames_with "$HWPOISON" "$dax" 2000 | wc -l)"
same "the contents of the file are the same" "$before" "$(md5sum /run/file/data)"
umount /run/file
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
