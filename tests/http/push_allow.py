#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where events may be posted to: literal addresses in all their forms, names, and a list that changes.

    push_allow.py DAEMON HOST SCRATCH [TEST...]
"""
import os
import signal
import sys

sys.dont_write_bytecode = True
from event_peers import SUBSCRIPTIONS, Daemon, Receiver, run, wait_for  # noqa: E402

PROGRAM, HOST, SCRATCH = sys.argv[1:4]
CONF = SCRATCH + "/conf"


def configure(text):
    with open(CONF + ".new", "w", encoding="ascii") as f:
        f.write(text)
    os.rename(CONF + ".new", CONF)


def daemon():
    d = Daemon(PROGRAM, HOST, SCRATCH, "--config", CONF)
    i = d.command.index("--push-allow")
    del d.command[i:i + 2]
    return d


def subscribe(d, destination):
    return d.ask("POST", SUBSCRIPTIONS, {"Destination": destination, "Protocol": "Redfish"})


def near_addresses_are_refused_by_default():
    configure("push-interval = 1\n")
    d = daemon().start()
    for host in ("127.0.0.1", "127.8.0.1", "127.1", "0x7f000001", "2130706433", "017700000001", "0.0.0.0", "0",
                 "169.254.169.254", "[::1]", "[::]", "[fe80::1]", "[::ffff:127.0.0.1]", "[::ffff:169.254.169.254]",
                 "localhost", "LOCALHOST.", "any.localhost", "224.0.0.1", "[ff02::1]", "[64:ff9b::7f00:1]",
                 "[64:ff9b::169.254.169.254]", "[::127.0.0.1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]"):
        for url in ("http://%s:9/x" % host, "https://%s" % host):
            status, _, body = subscribe(d, url)
            assert status == 400, "%s: %d" % (url, status)
            info = body["error"]["@Message.ExtendedInfo"][0]
            assert info["MessageId"].endswith(".DestinationNotAllowed"), info
            assert "push-allow" in info["Message"] and url in info["Message"], info
    assert "169.254.169.254" in subscribe(d, "http://169.254.169.254/")[2]["error"]["@Message.ExtendedInfo"][0]["Message"]
    for host in ("192.0.2.1", "[2001:db8::1]", "receiver.example", "10.0.0.1", "[64:ff9b::192.0.2.1]"):
        status, headers, _ = subscribe(d, "http://%s:9/x" % host)
        assert status == 201, "%s: %d" % (host, status)
        d.expect(204, "DELETE", headers["Location"])
    d.stop()


def an_address_that_a_name_has_is_checked_at_the_connection():
    receiver = Receiver()
    configure("push-interval = 1\n")
    d = daemon().start()
    # libcurl decodes it, and connects to the loopback interface.
    status, headers, _ = subscribe(d, "http://%%31%%32%%37.0.0.1:%d/x" % receiver.port)
    assert status in (201, 400), status
    if status == 201:
        d.submit("not for it")
        wait_for("Disabled", lambda: d.get(headers["Location"])["Status"]["State"] == "Disabled")
        condition = d.get(headers["Location"])["Status"]["Conditions"][0]
        assert "127.0.0.1" in condition["Message"] and "push-allow" in condition["Message"], condition
        assert condition["Timestamp"] and condition["MessageId"].endswith(".SubscriptionDisabled"), condition
        assert not receiver.bodies
        d.expect(204, "DELETE", headers["Location"])
    d.stop()
    receiver.close()


def a_list_is_followed_when_it_changes():
    receiver = Receiver()
    configure("push-interval = 1\npush-allow = 192.0.2.0/24, 127.0.0.1\n")
    d = daemon().start()
    uri = d.subscribe(receiver.url)
    assert subscribe(d, "http://127.0.0.2:9/")[0] == 400
    assert subscribe(d, "http://198.51.100.1:9/")[0] == 400
    d.submit("one")
    wait_for("the first", lambda: "one" in receiver.texts())
    configure("push-interval = 1\npush-allow = 192.0.2.0/24\n")
    d.process.send_signal(signal.SIGHUP)
    wait_for("Disabled", lambda: d.get(uri)["Status"]["State"] == "Disabled")
    assert "127.0.0.1" in d.get(uri)["Status"]["Conditions"][0]["Message"]
    d.submit("two")
    resume = uri + "/Actions/EventDestination.ResumeSubscription"
    assert d.ask("POST", resume, {})[0] == 409
    # Also after a restart.
    d.stop()
    d.start()
    status = d.get(uri)["Status"]
    assert status["State"] == "Disabled" and status["Health"] == "Warning" and status["Conditions"], status
    assert "two" not in receiver.texts()
    configure("push-interval = 1\npush-allow = 127.0.0.0/8\n")
    d.process.send_signal(signal.SIGHUP)
    wait_for("the resumption", lambda: d.ask("POST", resume, {})[0] in (200, 204))
    wait_for("the second", lambda: "two" in receiver.texts())
    # The receiver has it before the service has the answer.
    wait_for("health", lambda: d.get(uri)["Status"] == {"State": "Enabled", "Health": "OK"})
    d.stop()
    receiver.close()


sys.exit(run([near_addresses_are_refused_by_default, an_address_that_a_name_has_is_checked_at_the_connection,
              a_list_is_followed_when_it_changes], sys.argv[4:]))
