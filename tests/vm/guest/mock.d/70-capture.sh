# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A capture of the mock devices shows the same as the host itself.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa

work=$RESULTS/capture
mkdir -p "$work"
check "cxl-spa capture" cxl-spa capture "$work/mock-7.3.tar.zst"
cxl-spa list >"$work/live"
cxl-spa list --host "$work/mock-7.3.tar.zst" >"$work/captured"
grep -v '^ *dax[0-9]' "$work/live" >"$work/live.compared"
grep -v '^ *dax[0-9]' "$work/captured" >"$work/captured.compared"
check "cxl-spa list shows the same of the capture" same_lines "$work/live.compared" "$work/captured.compared"
