# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The JSON of changes has the keys of cli/schemas/change.v1_0_0.json. The outputs are kept
# with the results; tests/cli/json-v1/change-2.json to change-4.json are such.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq

work=$RESULTS/json
mkdir -p "$work"
window=$(window first)

# keys FILTER FILE: the names of what the filter finds.
keys() {
	jq -r "[$1 | keys_unsorted] | add | unique | join(\" \")" "$2"
}

# changed NAME STATUS FILE COMMAND...
changed() {
	local name=$1 wanted=$2 file=$work/$3 status=0
	shift 3
	cxl-spa "$@" --json >"$file" 2>"$work/error" || status=$?
	same "$name: its exit status" "$wanted" "$status"
	check "$name: it is JSON" jq -e 'type == "array" and length > 0' "$file"
}

# shellcheck disable=SC2046 # names have no blanks
changed "a region is created" 0 create.json region create "$window" --mode ram --ways 2 $(members 2)
region=$(regions)
same "its name is said" "$region done" "$(jq -r '.[0] | .object + " " + .outcome' "$work/create.json")"
same "the region has the keys of the schema" "committed dax enabled extended_linear_cache_size granularity locked mapping mode name size start targets ways" \
	"$(keys '.[].region' "$work/create.json")"
same "its positions, too" "decoder memdev position" "$(keys '.[].region.targets[]' "$work/create.json")"
# shellcheck disable=SC2046
changed "one more is not" 1 refused.json region create "$window" --mode ram --ways 2 --size 1T $(members 2)
same "it is refused with its reason" "refused true" \
	"$(jq -r '.[0] | .outcome + " " + (.reason | length > 0 | tostring)' "$work/refused.json")"
changed "memory is brought online" 0 online.json online "$region"
changed "and offline" 0 offline.json offline "$region"
changed "the region is destroyed" 0 destroy.json region destroy "$region" --force
for file in create refused online offline destroy; do
	same "$file has the keys of the schema" "" \
		"$(keys '.[]' "$work/$file.json" | tr ' ' '\n' | grep -vxE 'change|object|outcome|reason|region')"
done
nothing "nothing of it is left"
