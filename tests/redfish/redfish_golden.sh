#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Every resource of every bundled host, against tests/hosts/NAME.redfish.
. "${0%/*}/../lib/golden"
compare_golden ./dump_redfish redfish
