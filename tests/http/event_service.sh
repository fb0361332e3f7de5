#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# EventService and its subscriptions as a client meets them: what is accepted, what is refused and
# how, and what is kept.
. "${0%/*}/functions"
service=/redfish/v1/EventService
subscriptions=$service/Subscriptions
submit=$service/Actions/EventService.SubmitTestEvent

start idle-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --state "$scratch/state"

# Nothing of it is for strangers.
for path in "$service" "$subscriptions" "$service/SSE"; do
	request_by_tcp 401 GET "$path"
done
request_by_tcp 401 POST "$subscriptions" -H 'Content-Type: application/json' --data-binary '{}'

request 200 GET "$service"
has '"ServiceEnabled":true' "\"ServerSentEventUri\":\"$service/SSE\"" '"DeliveryRetryAttempts":3'
request 405 PATCH "$service" -H 'Content-Type: application/json' --data-binary '{"x":1}'

# Required properties of a subscription, and refused ones.
refused() {
	post 400 "$subscriptions" "$1"
	shift
	has "$@"
}
base='"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"'
refused '{"Protocol":"Redfish"}' CreateFailedMissingReqProperties Destination
refused '{"Destination":"http://127.0.0.1:9/"}' CreateFailedMissingReqProperties Protocol
refused '{"Destination":"http://127.0.0.1:9/","Protocol":"FTP"}' PropertyValueNotInList FTP
refused '{"Destination":7,"Protocol":"Redfish"}' PropertyValueTypeError Destination
for url in ftp://h/ /relative '' http:// http:///path http://:80/ 'http://a b/' \
	'http://user:word@h/' 'http://h:99999/' 'http://h/#here' 'http://h/\u00e4' 'javascript:x' 'file:///etc/passwd'; do
	refused "{\"Destination\":\"$url\",\"Protocol\":\"Redfish\"}" PropertyValueFormatError
done
refused "{$base,\"Nonsense\":1}" PropertyUnknown Nonsense
refused "{$base,\"Id\":\"5\"}" PropertyNotWritable
refused "{$base,\"Context\":5}" PropertyValueTypeError
refused "{$base,\"Context\":\"$(printf '%01100d' 0)\"}" Base.1.22.StringValueTooLong 1024
refused "{$base,\"VerifyCertificate\":\"no\"}" PropertyValueTypeError
refused "{$base,\"EventFormatType\":\"MetricReport\"}" PropertyValueNotInList
refused "{$base,\"SubscriptionType\":\"SSE\"}" PropertyValueNotInList
refused "{$base,\"DeliveryRetryPolicy\":\"Sometimes\"}" PropertyValueNotInList
refused "{$base,\"Severities\":[\"Bad\"]}" PropertyValueNotInList
refused "{$base,\"Severities\":\"OK\"}" PropertyValueTypeError
refused "{$base,\"RegistryPrefixes\":[1]}" PropertyValueTypeError
refused "{$base,\"OriginResources\":[\"/redfish/v1\"]}" PropertyValueTypeError
refused "{$base,\"MessageIds\":[\"$(printf '%1025s' x)\"]}" StringValueTooLong 1024
refused "{$base,\"MessageIds\":[$(printf '"a",%.0s' $(seq 64))\"b\"]}" ArraySizeTooLong
for header in '"Content-Length":"5"' '"host":"h"' '"X":5' '"X":""' '"X y":"z"' '"":"z"' \
	'"X":"a\r\nY: b"' '"X":"\u00e4"' '"X:":"y"'; do
	refused "{$base,\"HttpHeaders\":[{$header}]}" PropertyValueError HttpHeaders
done
refused "{$base,\"HttpHeaders\":{\"X\":\"y\"}}" PropertyValueTypeError
refused "{$base,\"HttpHeaders\":[{\"X\":\"$(printf '%09000d' 0)\"}]}" PropertyTooLong 8192 '#/HttpHeaders'
long=$(for i in 1 2 3 4 5 6 7 8; do printf '"%0900d",' $i; done)
long="[${long%,}]"
refused "{$base,\"MessageIds\":$long,\"ExcludeMessageIds\":$long,\"RegistryPrefixes\":$long,
	\"ExcludeRegistryPrefixes\":$long,\"ResourceTypes\":$long}" SubscriptionTooLong 32768
refused "{$base,\"Protocol\":\"Redfish\"}" MalformedJSON
refused '[]' UnrecognizedRequestBody
refused '{' MalformedJSON
request 200 GET "$subscriptions"
has '"Members@odata.count":0'

# A subscription that has everything, and one that the registry of collections makes possible, too.
post 201 "$subscriptions" "{$base,\"Context\":null,\"HttpHeaders\":[{\"X-Key\":\"hush\"}],
	\"RegistryPrefixes\":[\"CXLHost\"],\"MessageIds\":[],\"Severities\":[\"Critical\"],
	\"ResourceTypes\":[\"Memory\"],\"OriginResources\":[{\"@odata.id\":\"/redfish/v1/Systems/Host\"}],
	\"SubordinateResources\":true,\"IncludeOriginOfCondition\":false,
	\"DeliveryRetryPolicy\":\"RetryForever\",\"@odata.type\":\"x\"}"
header "Location: $subscriptions/1"
lacks hush
has '"Context":""' '"HttpHeaders":[]' '"VerifyCertificate":true' '"SubscriptionType":"RedfishEvent"'
post 201 "$subscriptions/Members" "{$base}"
request 200 GET "$subscriptions"
has "$subscriptions/1\"" "$subscriptions/2\"" '"Members@odata.count":2'

patch() {
	request "$1" PATCH "$subscriptions/1" -H 'Content-Type: application/json' --data-binary "$2"
}
patch 200 '{"Context":"new","DeliveryRetryPolicy":"SuspendRetries"}'
has '"Context":"new"' '"SuspendRetries"' '"Severities":["Critical"]'
patch 400 '{}'
has EmptyJSON
patch 400 '{"@odata.id":"x"}'
has NoOperation
patch 400 '{"Destination":"http://127.0.0.1:10/"}'
has PropertyNotWritable
patch 400 '{"Context":"half","Nonsense":1}'
has PropertyUnknown
patch 400 '{"Context":null}'
request 200 GET "$subscriptions/1"
has '"Context":"new"'
request 412 PATCH "$subscriptions/1" -H 'Content-Type: application/json' -H 'If-Match: "no"' \
	--data-binary '{"Context":"x"}'
for id in 3 0 01 -1 1x SSE-1 99999999999999999999 '%31%32'; do
	request 404 GET "$subscriptions/$id"
	request 404 DELETE "$subscriptions/$id"
done
post 404 "$subscriptions/9/Actions/EventDestination.SuspendSubscription" '{}'
post 400 "$subscriptions/1/Actions/EventDestination.SuspendSubscription" '{"Why":1}'
has ActionParameterUnknown
request 405 GET "$subscriptions/1/Actions/EventDestination.SuspendSubscription"

# Test events.
post 400 "$submit" '{}'
has ActionParameterMissing MessageId
post 400 "$submit" '{"MessageId":"a.1.0.b","Other":1}'
has ActionParameterUnknown
post 400 "$submit" '{"MessageId":5}'
has ActionParameterValueTypeError
post 400 "$submit" '{"MessageId":"a.1.0.b","MessageSeverity":"Bad"}'
post 400 "$submit" '{"MessageId":"a.1.0.b","MessageArgs":"x"}'
post 400 "$submit" "{\"MessageId\":\"a.1.0.b\",\"Message\":\"$(printf '%01100d' 0)\"}"
post 204 "$submit" '{"MessageId":"a.1.0.b","EventId":"5","EventGroupId":3,"MessageArgs":["x"]}'
# Port 9 does not answer; the filter of the first one excludes the test event.
request 500 POST "$service/Actions/EventService.TestEventSubscription"
has TestEventNotDelivered '"MessageArgs":["1","2","'

# The stream.
request 406 GET "$service/SSE" -H 'Accept: application/json'
request 405 POST "$service/SSE" -H 'Content-Type: application/json' --data-binary '{}'
request 200 HEAD "$service/SSE"
header 'Content-Type: text/event-stream'
for filter in 'x' "Nonsense%20eq%20'a'" 'MessageId%20gt%20a' "MessageId%20eq%20'a" \
	'(MessageId%20eq%20a' 'MessageId%20eq%20a%20and' "$(printf '(%.0s' $(seq 50))" 'not'; do
	request 400 GET "$service/SSE?\$filter=$filter"
	has 'QueryParameterValueFormatError'
done
request 400 GET "$service/SSE?\$top=1"
request 400 GET "$service/SSE?includeoriginofcondition=x"
has QueryParameterValueFormatError includeoriginofcondition

# All of it outlives the service.
stop
start idle-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --state "$scratch/state"
request 200 GET "$subscriptions/1"
has '"Context":"new"' '"SuspendRetries"'
request 204 DELETE "$subscriptions/1"
request 404 GET "$subscriptions/1"
stop

# Without the program that posts events, nothing that needs it is accepted.
CXL_REDFISH_PUSH=$scratch/none
export CXL_REDFISH_PUSH
start idle-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --state "$scratch/state"
post 503 "$subscriptions" "{$base}"
has EventsNotDeliverable "$scratch/none cannot be run: No such file or directory"
request 503 POST "$service/Actions/EventService.TestEventSubscription"
has EventsNotDeliverable "$scratch/none"
request 204 DELETE "$subscriptions/2"
request 204 POST "$service/Actions/EventService.TestEventSubscription"
stop
unset CXL_REDFISH_PUSH

# Without a store the event service is disabled and reports it.
start idle-7.3 --listen "unix:$socket" --password-file "$scratch/password"
request 200 GET "$service"
has '"ServiceEnabled":false' '"Disabled"'
post 503 "$subscriptions" "{$base}"
has ServiceDisabled
request 503 GET "$service/SSE"
no_header Retry-After
post 503 "$submit" '{"MessageId":"a.1.0.b"}'
request 200 GET "$subscriptions"
finish
