#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The assertions REQ_* of DSP0266, each by name: assertions_req.py.
. "${0%/*}/assertions"
