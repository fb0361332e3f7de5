# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Manual pages and --help.
TESTS += %D%/options.sh
EXTRA_DIST += %D%/options.sh %D%/options.py
