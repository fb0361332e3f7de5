# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Performance. Measurements are printed; only numbers of calls, which are the same on any machine, are
# tested.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
[ "$VM_RULE/$VM_FAULT" = plain/none ] || exit 0
needs_program bench_firmware

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
bdf=$(head -n 1 "$devices" | cut -d ' ' -f 2)
on_processors 1
check "cxl_prm loads with a rate" reload_cxl_prm rate=1000000 burst=1000000

queries=4096
rule random $queries 4 "$devices" >"$RESULTS/queries"

# best BATCH BEFORE: addresses per second through the ioctl, or BEFORE if that is more.
best() {
	local started now
	started=$(hundredths)
	prm_ioctl translate "$1" <"$RESULTS/queries" >/dev/null
	now=$((queries * 100 / ($(hundredths) - started + 1)))
	echo $((now > $2 ? now : $2))
}

# Alternating, and the best of each: the host may be busy.
single=0 batch=0
for _ in 1 2 3; do
	single=$(best 1 $single)
	batch=$(best 256 $batch)
done
tenths=$((batch * 10 / single))
figure "addresses/s by ioctl, one each" "$single"
figure "addresses/s by ioctl, 256 each" "$batch ($((tenths / 10)).$((tenths % 10)) times as many)"

first=$(handler_calls)
if bench_firmware /dev/cxl_prm "$bdf" >"$RESULTS/bench" 2>&1; then
	made=$(($(handler_calls) - first))
	read -r _ _ lookups _ calls _ warm _ cold _ batch <"$RESULTS/bench"
	# Each of 1024 chunks once, and twice more for the measurements.
	same "the client queries firmware once for each chunk of 256 KiB" "1024 3072" "$calls $made"
	figure "handler calls for $lookups random lookups in 256 KiB" "$calls"
	figure "lookups/s of the client, warm cache" "$warm"
	figure "lookups/s of the client, cold cache, one each" "$cold"
	figure "lookups/s of the client, cold cache, 256 at once" "$batch"
else
	not_ok "bench_firmware" "$(tail -n 3 "$RESULTS/bench")"
fi
on_processors 3
