# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Manual pages and --help; paths in the documents for developers.
TESTS += %D%/options.sh %D%/paths.sh
EXTRA_DIST += %D%/options.sh %D%/options.py %D%/paths.sh
