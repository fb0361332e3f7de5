# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# As in the boot "mock", more often.
# shellcheck disable=SC2034 # for the script
rounds=40
# shellcheck source=/dev/null
. /lib/vm/mock.d/42-losses.sh
