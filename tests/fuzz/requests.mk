# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Requests: any bytes to the HTTP server, any body in parts, any request to the service, any message to and from
# cxl-redfish-push, any answer of a collector, and any message from cxl-redfish-collect; run by scripts/fuzz.
fuzz_programs += fuzz_collect fuzz_http fuzz_multipart fuzz_otlp fuzz_push fuzz_request

fuzz_collect_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_collect_SOURCES = %D%/fuzz_collect.c %D%/fuzz_table.h
fuzz_collect_LDADD = $(COLLECT_LINK) $(fuzz_main)

fuzz_http_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_http_SOURCES = %D%/fuzz_http.c %D%/fuzz_table.h
fuzz_http_LDADD = $(HTTP_LINK) $(fuzz_main)

fuzz_multipart_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_multipart_SOURCES = %D%/fuzz_multipart.c %D%/fuzz_table.h
fuzz_multipart_LDADD = $(HTTP_LINK) $(fuzz_main)

fuzz_otlp_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_otlp_SOURCES = %D%/fuzz_otlp.c %D%/fuzz_table.h
fuzz_otlp_LDADD = $(OTLP_LINK) $(fuzz_main)

fuzz_push_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_push_SOURCES = %D%/fuzz_push.c %D%/fuzz_table.h
fuzz_push_LDADD = $(PUSH_LINK) $(LIBCURL_LIBS) $(fuzz_main)

# Check's functions are those of fuzz_check.c.
fuzz_request_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_request_SOURCES = %D%/fuzz_request.c %D%/fuzz_check.c %D%/fuzz_table.h $(redfish_stand_ins)
fuzz_request_LDADD = $(fuzz_main) libtests.a $(REDFISH_LINK)

EXTRA_DIST += \
	%D%/corpus/collect/done \
	%D%/corpus/collect/failed \
	%D%/corpus/collect/missed \
	%D%/corpus/collect/short \
	%D%/corpus/http/bare-lf \
	%D%/corpus/http/chunked \
	%D%/corpus/http/continue \
	%D%/corpus/http/continue-no-body \
	%D%/corpus/http/control \
	%D%/corpus/http/cut \
	%D%/corpus/http/folded \
	%D%/corpus/http/get \
	%D%/corpus/http/get-1.0 \
	%D%/corpus/http/nul \
	%D%/corpus/http/pipelined \
	%D%/corpus/http/post \
	%D%/corpus/http/two-lengths \
	%D%/corpus/multipart/cut \
	%D%/corpus/multipart/empty-parts \
	%D%/corpus/multipart/folded \
	%D%/corpus/multipart/nested \
	%D%/corpus/multipart/quoted \
	%D%/corpus/multipart/update \
	%D%/corpus/otlp/partial \
	%D%/corpus/otlp/partial-cut \
	%D%/corpus/otlp/partial-cut-protobuf \
	%D%/corpus/otlp/partial-json \
	%D%/corpus/otlp/refused \
	%D%/corpus/otlp/retry-date \
	%D%/corpus/otlp/retry-seconds \
	%D%/corpus/otlp/unauthorized \
	%D%/corpus/push/answer \
	%D%/corpus/push/answer-short \
	%D%/corpus/push/answer-text \
	%D%/corpus/push/request \
	%D%/corpus/push/request-lengths \
	%D%/corpus/push/request-plain \
	%D%/corpus/push/request-unended \
	%D%/corpus/request/account-create \
	%D%/corpus/request/account-policy \
	%D%/corpus/request/action-info \
	%D%/corpus/request/audit-clear \
	%D%/corpus/request/audit-entries \
	%D%/corpus/request/certificate-replace \
	%D%/corpus/request/certificate-request \
	%D%/corpus/request/clear-log \
	%D%/corpus/request/cross-site \
	%D%/corpus/request/delete \
	%D%/corpus/request/device-log \
	%D%/corpus/request/entries \
	%D%/corpus/request/entries-next \
	%D%/corpus/request/entry \
	%D%/corpus/request/entry-patch \
	%D%/corpus/request/get \
	%D%/corpus/request/get-gzip \
	%D%/corpus/request/get-login \
	%D%/corpus/request/get-other-login \
	%D%/corpus/request/head-metadata \
	%D%/corpus/request/nested \
	%D%/corpus/request/not-sane \
	%D%/corpus/request/preflight \
	%D%/corpus/request/query-excerpt \
	%D%/corpus/request/query-expand \
	%D%/corpus/request/query-expand-all \
	%D%/corpus/request/query-filter \
	%D%/corpus/request/query-log \
	%D%/corpus/request/query-only \
	%D%/corpus/request/service-patch \
	%D%/corpus/request/session-create \
	%D%/corpus/request/session-policy \
	%D%/corpus/request/stream \
	%D%/corpus/request/stream-all \
	%D%/corpus/request/submit \
	%D%/corpus/request/subscribe \
	%D%/corpus/request/subscribe-more \
	%D%/corpus/request/subscription \
	%D%/corpus/request/subscription-delete \
	%D%/corpus/request/subscription-patch \
	%D%/corpus/request/subscription-resume \
	%D%/corpus/request/subscription-suspend \
	%D%/corpus/request/tasks \
	%D%/corpus/request/test-event \
	%D%/corpus/request/translate-dpa \
	%D%/corpus/request/translate-dpas \
	%D%/corpus/request/translate-spa \
	%D%/corpus/request/translate-spas
