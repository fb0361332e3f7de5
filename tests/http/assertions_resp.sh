#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The assertions RESP_* of DSP0266, each by name: assertions_resp.py.
. "${0%/*}/assertions"
