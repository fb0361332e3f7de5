#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Validate the events of the stream against the schemas and the registries.

    validate_events.py SOCKET SCHEMAS

Reads the stream from the oldest event on until one that it submits itself. Prints each violation;
status 0 when there is none.
"""
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from event_peers import SERVICE, Stream, wait_for  # noqa: E402
from redfish_client import Service  # noqa: E402
from validate_redfish import JsonSchemas, Registries  # noqa: E402


def main():
    path, directory = sys.argv[1], Path(sys.argv[2])
    schemas, registries = JsonSchemas(directory / "json-schema"), Registries(directory)
    service = Service(path)
    registries.add(service.ask_json("GET", "/redfish/v1/Registries/CXLHost.1.0.0/"
                                           "CXLHost.1.0.0.json")[2])
    stream = Stream(path, last_id=0)
    service.ask("POST", SERVICE + "/Actions/EventService.TestEventSubscription", "{}")
    wait_for("the end", lambda: "Test message." in stream.texts())
    failures = 0
    for number, body, _ in stream.events:
        name, version, _ = body["@odata.type"].lstrip("#").split(".")
        reference = "%s.%s.json#/definitions/%s" % (name, version, name)
        errors = list(schemas.errors(reference, body))
        for record in body["Events"]:
            errors += registries.errors(record["MessageId"], record.get("Message"),
                                        record.get("MessageArgs", []))
            for link in ("OriginOfCondition", "LogEntry"):
                uri = record.get(link, {}).get("@odata.id")
                if uri and service.ask("GET", uri)[0] != 200:
                    errors.append("%s leads nowhere: %s" % (link, uri))
        for error in errors:
            failures += 1
            print("FAIL: event %d: %s" % (number, error))
    stream.close()
    print("%d events, %d failures" % (len(stream.events), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
