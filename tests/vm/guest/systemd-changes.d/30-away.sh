# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Answers when changes are not allowed any more, and while the helper is away.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/changes.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh

chunks=$host/MemoryDomains/$(window_id "$(window first)")/MemoryChunks
create='{"MemoryChunkSizeMiB": 512}'

# ---- removed by a reload
configure
check "allow is removed by a reload" systemctl reload "$service"
check "the helper has read it" wait_for logged "$change_helper" "changes that are allowed: none"
becomes "POST is in Allow no more" no sh -c ". /lib/vm/units.sh; . /lib/vm/units-change.sh; allows $chunks POST && echo yes || echo no"
answers "and is 405" 405 POST "$chunks" "$create"
cp "$work/body" "$work/not-allowed"
nothing "no region was made"
configure "allow = regions"
check "it is added again" systemctl reload "$service"
check "POST is in Allow again" wait_for allows "$chunks" POST
answers "memory is not allowed" 405 PATCH "$(memory_of "$(memdev 0)")" '{"Enabled": false}'
answers "a region is created" 201 POST "$chunks" "$create"
answers "and removed" 204 DELETE "$chunks/$(regions)"

# ---- stopped
systemctl stop "$change_helper_socket" "$change_helper"
check "without the helper POST is not in Allow" wait_for sh -c \
	". /lib/vm/units.sh; . /lib/vm/units-change.sh; ! allows $chunks POST"
answers "and is 405" 405 POST "$chunks" "$create"
because "with the reason" "cxl-redfish-change-helper, which makes changes, does not answer"
nothing "no region was made then"
systemctl start "$change_helper_socket"
check "POST is in Allow when it is back" wait_for allows "$chunks" POST
answers "and a region is created" 201 POST "$chunks" "$create"

# ---- killed: the service and its clients go on
kill -KILL "$(main_pid "$change_helper")"
answers_after helper_is_away "when it was killed, and is back, the region is removed" 204 DELETE "$chunks/$(regions)"
nothing "nothing is left of it"

# ---- a configuration that was written before there were such names
configure "allow = fabric"
check "a configuration of an earlier version starts the service" systemctl restart "$service"
check "the regions are shown" wait_for is_answered 200 "$chunks"
same "and POST is not in Allow" no "$(allows "$chunks" POST && echo yes || echo no)"
rm "$configuration"
