# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The page in Debian's Chromium, with the rules of axe-core. CXL_PAGE_HOSTS=all is all captured hosts.
page_scripts = %D%/axe.sh %D%/files.sh %D%/page.sh %D%/story.sh
TESTS += $(page_scripts)
EXTRA_DIST += $(page_scripts) %D%/axe.py %D%/page.py %D%/browser.py %D%/story.py
