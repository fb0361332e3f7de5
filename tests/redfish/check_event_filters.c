// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Listeners that are woken, events that a filter lets pass, values that a subscription may have,
// and the address of a stream.
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/array.h"
#include "events/event_bus.h"
#include "http/request.h"
#include "redfish/core/origin.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/subscription.h"
#include "tests/lib/suites.h"

struct listener {
	struct event_subscriber subscriber;
	unsigned int woken;
};

static void on_wake(struct event_subscriber *self)
{
	((struct listener *)self)->woken++;
}

START_TEST(subscribers_are_woken_and_numbers_do_not_decrease)
{
	struct listener a = {.subscriber.wake = on_wake}, b = {.subscriber.wake = on_wake};
	struct event_bus *bus;

	ck_assert_int_eq(event_bus_new(&bus, NULL), 0);
	ck_assert_uint_eq(event_bus_newest(bus), 0);
	event_bus_subscribe(bus, &a.subscriber);
	event_bus_subscribe(bus, &b.subscriber);
	event_bus_publish(bus, 5);
	event_bus_publish(bus, 3);
	event_bus_publish(bus, 0);
	ck_assert_uint_eq(event_bus_newest(bus), 5);
	ck_assert_uint_eq(a.woken, 3);
	event_bus_unsubscribe(bus, &a.subscriber);
	event_bus_publish(bus, 6);
	ck_assert_uint_eq(a.woken, 3);
	ck_assert_uint_eq(b.woken, 4);
	event_bus_unsubscribe(bus, &b.subscriber);
	ck_assert_ptr_null(event_bus_free(bus));
	ck_assert_ptr_null(event_bus_free(NULL));
}
END_TEST

static const struct event_item item = {
	.seq = 7,
	.message_id = "CXLHost.1.0.DRAMEvent",
	.severity = "Warning",
	.event_type = "Alert",
	.origin = "/redfish/v1/Systems/Host/Memory/m0",
	.resource_type = "Memory",
};

static const struct {
	const char *text;
	bool good, admits;
} filters[] = {
	{"MessageId eq 'CXLHost.1.0.DRAMEvent'", true, true},
	{"MessageId eq CXLHost.DRAMEvent", true, true},
	{"MessageId eq 'CXLHost.2.9.DRAMEvent'", true, true},
	{"MessageId eq 'CXLHostX.1.0.DRAMEvent'", true, false},
	{"MessageId eq 'DRAMEvent'", true, false},
	{"RegistryPrefix eq 'CXL'", true, false},
	{"RegistryPrefix eq 'CXLHost'", true, true},
	{" ( MessageSeverity ne 'OK' )and(ResourceType eq Memory) ", true, true},
	{"not not MessageSeverity eq Warning", true, true},
	{"MessageSeverity eq OK or MessageSeverity eq OK or MessageSeverity eq Warning", true,
	 true},
	{"MessageSeverity eq OK and MessageSeverity eq Warning or ResourceType eq Memory", true,
	 true},
	{"MessageSeverity eq OK and (MessageSeverity eq Warning or ResourceType eq Memory)", true,
	 false},
	{"OriginResource eq '/redfish/v1/Systems/Host/Memory/m0'", true, true},
	{"OriginResource eq '/redfish/v1/Systems/Host/Memory'", true, false},
	{"MessageId eq ''", true, false},
	{"", false, false},
	{"MessageId", false, false},
	{"MessageIdeq 'x'", false, false},
	{"MessageId eq", false, false},
	{"MessageId eq 'x", false, false},
	{"MessageId eq x y", false, false},
	{"MessageId gt x", false, false},
	{"(MessageId eq x", false, false},
	{"MessageId eq x)", false, false},
	{"MessageId eq x and", false, false},
	{"((((((((((((((((((((MessageId eq x))))))))))))))))))))", false, false},
};

START_TEST(filters_of_streams_are_understood_or_refused)
{
	ck_assert_msg(delivery_filter_check(filters[_i].text) == filters[_i].good, "%s",
		      filters[_i].text);
	if (filters[_i].good)
		ck_assert_msg(delivery_filter_admits(filters[_i].text, &item) == filters[_i].admits,
			      "%s", filters[_i].text);
}
END_TEST

static const struct {
	const char *json;
	bool wanted;
} wishes[] = {
	{"{}", true},
	{"{\"RegistryPrefixes\":[],\"MessageIds\":[],\"Severities\":[]}", true},
	{"{\"RegistryPrefixes\":[\"CXLHost\"]}", true},
	/* Names of an earlier version. */
	{"{\"RegistryPrefixes\":[\"CXLHost.1.0\"]}", true},
	{"{\"MessageIds\":[\"CXLHost.1.0.DRAMEvent\"]}", true},
	{"{\"RegistryPrefixes\":[\"Base\"]}", false},
	{"{\"RegistryPrefixes\":[\"Base\"],\"MessageIds\":[\"CXLHost.DRAMEvent\"]}", true},
	{"{\"ExcludeRegistryPrefixes\":[\"CXLHost\"]}", false},
	{"{\"ExcludeMessageIds\":[\"CXLHost.1.0.PoisonEvent\"]}", true},
	{"{\"ExcludeMessageIds\":[\"CXLHost.1.0.DRAMEvent\"]}", false},
	{"{\"Severities\":[\"Critical\",\"Warning\"]}", true},
	{"{\"Severities\":[\"Critical\"]}", false},
	{"{\"ResourceTypes\":[\"Port\"]}", false},
	{"{\"EventTypes\":[\"Alert\"]}", true},
	{"{\"OriginResources\":[{\"@odata.id\":\"/redfish/v1/Systems/Host/Memory/m0/\"}]}", true},
	{"{\"OriginResources\":[{\"@odata.id\":\"/redfish/v1/Systems/Host\"}]}", false},
	{"{\"OriginResources\":[{\"@odata.id\":\"/redfish/v1/Systems/Host\"}],"
	 "\"SubordinateResources\":true}",
	 true},
	{"{\"OriginResources\":[{\"@odata.id\":\"/redfish/v1/Systems/Ho\"}],"
	 "\"SubordinateResources\":true}",
	 false},
};

START_TEST(subscribers_receive_the_events_of_their_filter)
{
	const struct event_item gap = {.seq = 1, .is_gap = true};
	json_t *wish = json_loads(wishes[_i].json, 0, NULL);

	ck_assert_ptr_nonnull(wish);
	ck_assert_msg(subscription_admits(wish, &item) == wishes[_i].wanted, "%s", wishes[_i].json);
	/* The gap passes every filter. */
	ck_assert(subscription_admits(wish, &gap));
	json_decref(wish);
}
END_TEST

START_TEST(an_event_without_origin_is_not_of_any)
{
	const struct event_item bare = {.message_id = "Base.1.22.Success", .severity = "OK"};
	json_t *wish = json_pack("{s:[s]}", "ResourceTypes", "Memory");

	ck_assert(!subscription_admits(wish, &bare));
	ck_assert(!delivery_filter_admits("OriginResource eq '/redfish/v1'", &bare));
	json_decref(wish);
}
END_TEST

START_TEST(headers_are_kept_and_not_shown)
{
	json_t *given = json_pack("{s:s,s:s,s:[{s:s}]}", "Destination", "https://h:1/x?y=z",
				  "Protocol", "Redfish", "HttpHeaders", "X-Key", "hush");
	json_t *made = NULL, *changed = NULL, *patch = json_pack("{s:s}", "Context", "c");
	_cleanup_writer_ struct json_writer shown = {0}, headers = {0};
	struct message message;

	ck_assert_int_eq(subscription_new(given, &made, &message), 0);
	ck_assert_int_eq(subscription_change(made, patch, &changed, &message), 0);
	put_object(&shown, NULL);
	put_subscription(&shown, changed);
	put_end(&shown);
	ck_assert_ptr_null(memmem(shown.text, shown.len, "hush", 4));
	ck_assert_ptr_nonnull(memmem(shown.text, shown.len, "\"Context\":\"c\"", 13));
	ck_assert_ptr_nonnull(memmem(shown.text, shown.len, "\"VerifyCertificate\":true", 24));
	put_subscription_headers(&headers, changed);
	ck_assert_uint_eq(headers.len, sizeof("X-Key: hush"));
	ck_assert_str_eq(headers.text, "X-Key: hush");
	json_decref(given);
	json_decref(made);
	json_decref(changed);
	json_decref(patch);
}
END_TEST

static void expect_destination(const struct http_client *client, const char *uri)
{
	char found[ORIGIN_URI_MAX];

	origin_stream_uri(client, found);
	ck_assert_str_eq(found, uri);
}

START_TEST(a_stream_has_the_address_and_the_port_of_its_client)
{
	static const struct {
		int family;
		const char *address, *uri;
	} cases[] = {
		{AF_INET, "192.0.2.1", "redfish-sse://192.0.2.1:40000"},
		{AF_INET6, "2001:db8::1", "redfish-sse://[2001:db8::1]:40000"},
		{AF_INET6, "::ffff:192.0.2.1", "redfish-sse://192.0.2.1:40000"},
	};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(40000)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(40000)};
	struct http_client client = {.transport = HTTP_OVER_UNIX, .has_credentials = true};

	expect_destination(&client, "");
	client.address = (struct sockaddr *)&local;
	expect_destination(&client, "");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool is_ipv4 = cases[i].family == AF_INET;
		void *to = is_ipv4 ? (void *)&in.sin_addr : (void *)&in6.sin6_addr;

		ck_assert_int_eq(inet_pton(cases[i].family, cases[i].address, to), 1);
		client = (struct http_client){.address = is_ipv4 ? (struct sockaddr *)&in
								 : (struct sockaddr *)&in6};
		expect_destination(&client, cases[i].uri);
	}
}
END_TEST

SUITE(check_event_filters)
{
	Suite *suite = suite_create("event_filters");
	TCase *tests = tcase_create("filters");

	tcase_add_test(tests, subscribers_are_woken_and_numbers_do_not_decrease);
	tcase_add_loop_test(tests, filters_of_streams_are_understood_or_refused, 0,
			    (int)ARRAY_SIZE(filters));
	tcase_add_loop_test(tests, subscribers_receive_the_events_of_their_filter, 0,
			    (int)ARRAY_SIZE(wishes));
	tcase_add_test(tests, an_event_without_origin_is_not_of_any);
	tcase_add_test(tests, headers_are_kept_and_not_shown);
	tcase_add_test(tests, a_stream_has_the_address_and_the_port_of_its_client);
	suite_add_tcase(suite, tests);
	return suite;
}
