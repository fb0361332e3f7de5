#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Every resource of the bundled hosts that have a tests/hosts/NAME.redfish, against it.
. "${0%/*}/../lib/golden"
compare_golden ./dump_redfish redfish
