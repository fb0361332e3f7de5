# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Manual pages and --help; their examples; paths in the documents for developers.
TESTS += %D%/examples.sh %D%/options.sh %D%/paths.sh
EXTRA_DIST += %D%/examples.py %D%/examples.sh %D%/options.sh %D%/options.py %D%/paths.sh
