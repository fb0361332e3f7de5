#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The assertions SERV_* of DSP0266, each by name: assertions_serv.py.
. "${0%/*}/assertions"
