#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The assertions SERV_* of DSP0266: subscriptions, server-sent events, discovery."""
import json
import sys
import time

sys.dont_write_bytecode = True
from assertions_client import (EVENT_SERVICE, SUBSCRIPTIONS, Client, Stream,  # noqa: E402
                               parse, run, wait_for)

NO_SSDP = "SSDP is optional and not implemented; no port of it is open"
DOES_NOT_APPLY = {
    "SERV_SSDP_AL_HEADER_POINTS_TO_SERVICE_ROOT": NO_SSDP,
    "SERV_SSDP_CAN_BE_DISABLED": NO_SSDP,
    "SERV_SSDP_MSEARCH_RESPONDS_TO_REDFISH_OR_ALL": NO_SSDP,
    "SERV_SSDP_M_SEARCH_RESPONSE_FORMAT": NO_SSDP,
    "SERV_SSDP_ST_HEADER_FORMAT": NO_SSDP,
    "SERV_SSDP_USN_MATCHES_SERVICE_ROOT_UUID": NO_SSDP,
    "SERV_SSDP_UUID_IN_CANONICAL_FORMAT": NO_SSDP,
    "SERV_SSDP_UUID_STATIC": NO_SSDP,
    "SERV_SSE_JSON_METRIC_REPORT_FORMAT": "there are no metric reports: no TelemetryService",
}
SSE = EVENT_SERVICE + "/SSE"


def serv_event_post_resp(s):
    reply = s.admin.expect(201, "POST", SUBSCRIPTIONS, {
        "Context": "RPV", "Protocol": "Redfish", "Destination": "https://127.0.0.1:1/events"})
    uri = reply.headers["Location"]
    assert uri.startswith(SUBSCRIPTIONS + "/")
    shown = s.admin.get(uri)
    assert shown.json["Context"] == "RPV" and shown.headers["ETag"]
    assert reply.json["@odata.id"] == uri
    assert {"@odata.id": uri} in s.admin.get(SUBSCRIPTIONS).json["Members"]
    s.admin.expect((200, 204), "DELETE", uri)


def serv_event_error_on_bad_request(s):
    good = {"Protocol": "Redfish", "Destination": "https://127.0.0.1:1/"}
    for change, related in (({"Protocol": "FTP"}, ["#/Protocol"]),
                            ({"Destination": "ftp://x/"}, ["#/Destination"]),
                            ({"Destination": None}, ["#/Destination"]),
                            ({"Nonsense": 1}, ["#/Nonsense"]),
                            ({"Context": 1, "Nonsense": 1}, ["#/Context", "#/Nonsense"])):
        body = {k: v for k, v in {**good, **change}.items() if v is not None}
        reply = s.admin.expect(400, "POST", SUBSCRIPTIONS, body)
        assert sorted(sum((i["RelatedProperties"] for i in reply.messages()), [])) == related
    assert s.admin.get(SUBSCRIPTIONS).json["Members@odata.count"] == 0


def streams(s):
    members = s.admin.get(SUBSCRIPTIONS).json["Members"]
    shown = [s.admin.expect((200, 404), "GET", m["@odata.id"]) for m in members]
    # A stream that is ending may be in the list only.
    return [d.json for d in shown if d.status == 200 and d.json["SubscriptionType"] == "SSE"]


class Opened:
    """A stream for the time of a test; others have ended when it begins."""

    def __init__(self, s, client=None, **options):
        self.s, self.client, self.options = s, client or s.admin, options

    def __enter__(self):
        wait_for("the end of other streams", lambda: not streams(self.s))
        self.stream = Stream(self.client, **self.options)
        assert self.stream.status == 200, self.stream.status
        wait_for("its destination", lambda: streams(self.s))
        return self.stream

    def __exit__(self, *_):
        self.stream.close()
        wait_for("its end", lambda: not streams(self.s))


def fields(event, name):
    return [value for key, value in event if key == name]


def texts(stream):
    """Messages of all events of a stream."""
    out = []
    for event in stream.events():
        data = "\n".join(fields(event, "data"))
        if data:
            out += [record["Message"] for record in parse(data)["Events"]]
    return out


def serv_sse_successful_response(s):
    with Opened(s) as stream:
        assert stream.headers["Content-Type"].replace(" ", "").lower() in (
            "text/event-stream", "text/event-stream;charset=utf-8")
        assert stream.headers["Cache-Control"] and stream.headers["OData-Version"] == "4.0"
    assert s.admin.get(EVENT_SERVICE).json["ServerSentEventUri"] == SSE


def serv_sse_unsuccessful_response(s):
    for client, query, headers, allowed in (
            (s.anonymous, "", {}, {401}), (s.admin, "?$filter=x%20y", {}, {400, 501}),
            (s.admin, "?$nothing=1", {}, {501}),
            (s.admin, "", {"Accept": "application/json"}, {406}),
            (Client(s.url, token="wrong"), "", {}, {401}),
            (s.admin, "", {"Origin": "https://evil.example"}, {403})):
        reply = client.expect(allowed, "GET", SSE + query, headers=headers)
        assert reply.headers["Content-Type"].replace(" ", "").lower() in (
            "application/json", "application/json;charset=utf-8")
        assert reply.messages()
    assert not streams(s)


def serv_sse_blank_lines_between_events(s):
    with Opened(s) as stream:
        for i in range(3):
            s.submit_event("blank %d" % i)
        wait_for("three events", lambda: len(texts(stream)) >= 3)
        text = stream.text.replace(b"\r\n", b"\n")
        assert text.endswith(b"\n\n") and b"\n\n\n" not in text
        for event in stream.events():
            if fields(event, "data"):
                assert len(fields(event, "id")) == 1, event


def serv_sse_connection_open_until_closed(s):
    with Opened(s) as stream:
        s.submit_event("first")
        wait_for("the first", lambda: "first" in texts(stream))
        time.sleep(2)
        assert not stream.ended
        s.submit_event("second")
        wait_for("the second", lambda: "second" in texts(stream))
        assert not stream.ended


def serv_sse_events_sent_via_open_connection(s):
    with Opened(s) as stream:
        for i in range(5):
            s.submit_event("event %d" % i)
        wait_for("all", lambda: len(texts(stream)) >= 5)
        assert [t for t in texts(stream) if t.startswith("event ")] == [
            "event %d" % i for i in range(5)]


def serv_sse_open_creates_event_dest(s):
    before = s.admin.get(SUBSCRIPTIONS).json["Members@odata.count"]
    with Opened(s) as stream:
        shown, = streams(s)
        assert stream.status == 200
        assert s.admin.get(SUBSCRIPTIONS).json["Members@odata.count"] == before + 1
        assert shown["Protocol"] == "Redfish" and shown["@odata.type"].startswith(
            "#EventDestination.")
        # The schema's text has the form of it.
        assert shown["Destination"] == "redfish-sse://%s:%d" % stream.socket.getsockname(), shown


def serv_sse_event_dest_context_opaque_str(s):
    seen = set()
    for _ in range(2):
        with Opened(s):
            shown, = streams(s)
            assert isinstance(shown["Context"], str) and shown["Context"]
            seen.add(shown["Context"])
            s.admin.expect((400, 405), "PATCH", shown["@odata.id"], {"Context": "x"})
    assert len(seen) == 2


def serv_sse_event_dest_deleted_on_close(s):
    with Opened(s):
        uri = streams(s)[0]["@odata.id"]
    s.admin.expect(404, "GET", uri)


def serv_sse_close_connection_if_event_dest_deleted(s):
    with Opened(s) as stream:
        s.admin.expect((200, 204), "DELETE", streams(s)[0]["@odata.id"])
        wait_for("the end of the connection", lambda: stream.ended)


def serv_sse_id_field_uniquely_identifies_payload(s):
    with Opened(s) as stream:
        for i in range(4):
            s.submit_event("number %d" % i)
        wait_for("four", lambda: len(texts(stream)) >= 4)
        ids = [fields(event, "id")[0] for event in stream.events() if fields(event, "data")]
        assert len(set(ids)) == len(ids)
        rest = texts(stream)
    # From there on the stream is continued.
    with Opened(s, last_id=ids[1]) as again:
        wait_for("those after it", lambda: len(texts(again)) >= 2)
        assert texts(again)[:2] == rest[2:4]
        assert [fields(e, "id")[0] for e in again.events() if fields(e, "data")][:2] == ids[2:4]


def serv_sse_data_field_based_on_payload_format(s):
    assert s.admin.get(EVENT_SERVICE).json["EventFormatTypes"] == ["Event"]
    with Opened(s) as stream:
        s.submit_event("format")
        wait_for("it", lambda: "format" in texts(stream))
        for event in stream.events():
            for data in fields(event, "data"):
                assert parse(data)["@odata.type"].startswith("#Event."), data


def serv_sse_json_event_message_format(s):
    with Opened(s) as stream:
        s.submit_event("json")
        wait_for("it", lambda: "json" in texts(stream))
        event = [e for e in stream.events() if fields(e, "data")][-1]
        body = parse("\n".join(fields(event, "data")))
        for name in ("@odata.type", "Id", "Name", "Events"):
            assert body[name], json.dumps(body)
        record = body["Events"][0]
        for name in ("EventType", "MessageId", "Message"):
            assert record[name], json.dumps(record)
        assert record["MemberId"]


if __name__ == "__main__":
    sys.exit(run(sys.modules[__name__], sys.argv[1:]))
