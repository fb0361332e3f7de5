#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The page's files over HTTP: without a login, only for reading, with their headers.
. "$(dirname "$0")/../http/functions"
start_usual

for path in / /page/style.css /page/icon.svg $(sed -n 's|.*%D%/\(.*\.js\).*|/page/\1|p' "$srcdir/page/local.mk"); do
	request_as_is 200 GET "$path"
	header "Cache-Control: no-cache"
	header "X-Content-Type-Options: nosniff"
	header "Referrer-Policy: no-referrer"
	case $head in
	*"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"*) ;;
	*) fail "$path: no strict policy in: $head" ;;
	esac
	etag=$(echo "$head" | sed -n 's/^ETag: //p')
	request_as_is 304 GET "$path" -H "If-None-Match: $etag"
	[ -z "$body" ] || fail "$path: 304 with a body"
	request_by_tcp 200 GET "$path"
	request_as_is 200 HEAD "$path"
	for method in POST PATCH DELETE; do
		request_as_is 405 "$method" "$path"
		header "Allow: GET, HEAD"
	done
done
request_as_is 200 GET /
header "Content-Type: text/html; charset=utf-8"
request_as_is 200 GET / -H 'Accept-Encoding: gzip'
header "Content-Encoding: gzip"
gzip -dc <"$scratch/body" | cmp - "$srcdir/page/index.html" || fail "gzip: another page"

# Nothing else is there, and what else there is needs a login as before.
for path in /page /page/ /page/index.html /page/nothing.js /page/../cxl-redfishd /page/%2e%2e/main.js /metrics; do
	request_by_tcp 401 GET "$path"
done
request_by_tcp 401 GET "$system"
request_by_tcp 401 POST /page/nothing.js -H 'Content-Type: application/json' -d '{}'

# Nothing of it is loaded from elsewhere, and no text becomes HTML.
! grep -nE "https?://" "$srcdir"/page/*.html "$srcdir"/page/*.js "$srcdir"/page/*.css |
	grep -v 'http://www.w3.org/2000/svg' || fail "a file of the page names another server"
! grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|localStorage|document\.cookie' \
	"$srcdir"/page/*.js || fail "a script of the page makes HTML of text, or keeps a token"
finish
