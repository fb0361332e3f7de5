#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The assertions SEC_* of DSP0266, each by name: assertions_sec.py.
. "${0%/*}/assertions"
