# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What `make install` does.
TESTS += %D%/install.sh
EXTRA_DIST += %D%/install.sh
