#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The requests of docs/clients.md, sent in their order; its answers are those of the service.

    clients_walk.py DAEMON HOSTS SCRATCH DOCUMENT [--update]
    clients_walk.py --record RECORD DOCUMENT

A block ```http is a request when it begins with a method, and the block after it is its answer, which --update
writes. Comments of the document steer: <!-- host NAME:N --> starts the service on a captured host, whose log gets N
entries, <!-- receiver start --> and <!-- receiver stop --> are the subscriber's server, and the block after <!-- received N --> is what it
was sent as Nth. <!-- shown PROPERTY,... -->, before a request, leaves only these of the answer.

The second form takes the last section's requests and answers from the record of a virtual machine,
clients/record.md in the results of its boot.

Values that differ between two runs are replaced, in requests before they are sent and in answers after: see NAMES and MASKS.
"""
import base64
import json
import os
import re
import sys
import time

sys.dont_write_bytecode = True
from event_peers import OWN_ADDRESS, Daemon, Receiver, Stream, wait_for  # noqa: E402
from redfish_client import UnixConnection, WAIT_SECONDS  # noqa: E402

LOGIN = "Basic " + base64.b64encode(b"admin:secret").decode()
SYSTEM = "/redfish/v1/Systems/Host"
LOG = SYSTEM + "/LogServices/CXL/Entries"
HEADERS = ("Location", "Retry-After", "X-Auth-Token")
# Values of these properties differ in each run.
MASKS = {
    "@odata.etag": lambda value: '"TAG"',
    "CreatedTime": lambda value: TIME,
    "LastLoginTime": lambda value: TIME,
    "PasswordExpiration": lambda value: value and TIME,
    "DiagnosticData": lambda value: value[:12] + "...",
}
FIRST_EVENT = 40  # their numbers depend on how many resources had changed before
TIME = "2026-11-22T06:00:00Z"
STEP = re.compile(r"^<!-- (host|receiver|received|shown) (\S+) -->$|^```http\n(.*?)^```$", re.M | re.S)


def masked(value):
    if isinstance(value, list):
        return [masked(one) for one in value]
    if isinstance(value, dict):
        return {key: MASKS.get(key, masked)(one) for key, one in value.items()}
    return value


class Walk:
    def __init__(self, program, hosts, scratch):
        self.program, self.hosts, self.scratch = program, hosts, scratch
        self.daemon = self.receiver = self.only = None
        self.names = {}
        self.n_hosts = 0
        self.receivers = []

    def host(self, name, entries):
        self.end()
        self.n_hosts += 1
        directory = os.path.join(self.scratch, "host-%d" % self.n_hosts)
        os.mkdir(directory)
        self.daemon = Daemon(self.program, os.path.join(self.hosts, name + ".tar.zst"), directory,
                             "--password-file", os.path.join(self.scratch, "password"),
                             "--push-interval", "1").start()
        critical = wait_for("the events of " + name, lambda: self.has_read_events(int(entries)))
        # A subscription that was made between a view and the events of its news would get these.
        stream = Stream(self.daemon.socket, last_id=0, login="admin:secret")
        wait_for("the news of %s" % critical,
                 lambda: critical <= {text.split("'")[1] for text in stream.texts() if "has changed to Critical" in text})
        stream.close()

    def has_read_events(self, number):
        """The recorded events are in the log, and in the health of the system and of each device: events of
        the changes of health are numbered before, too. Return: the URIs with a health that is Critical, or none yet."""
        def get(uri):
            return json.loads(self.ask("GET", uri, {"Authorization": LOGIN})[1])

        log = get(LOG)
        critical = {entry["Links"]["OriginOfCondition"]["@odata.id"] for entry in log["Members"]
                    if entry["Severity"] == "Critical" and "OriginOfCondition" in entry.get("Links", {})}
        if (log["Members@odata.count"] == number and
                get(SYSTEM)["Status"].get("HealthRollup") == "Critical" and
                all(get(uri)["Status"].get("Health") == "Critical" for uri in critical)):
            return critical | {SYSTEM}
        return None

    def receive(self, what):
        if what == "stop":
            self.receiver.close()
            return
        if self.receiver:  # an outage lasts until the service has noticed it
            wait_for("the outage", lambda: "could not be reached" in self.daemon.log())
        self.receivers.append(Receiver(port=self.receiver.port if self.receiver else 0, address=OWN_ADDRESS))
        self.receiver = self.receivers[-1]
        self.names["127.0.0.1:9000"] = "%s:%d" % (OWN_ADDRESS, self.receiver.port)

    def end(self):
        for receiver in self.receivers:
            receiver.close()
        self.receivers, self.receiver = [], None
        if self.daemon:
            self.daemon.stop()
            self.daemon = None

    def real(self, text):
        for shown, real in self.names.items():
            text = text.replace(shown, real)
        return text

    def shown(self, text):
        for shown, real in self.names.items():
            text = text.replace(real, shown)
        return text

    def body(self, text):
        value = masked(json.loads(text))
        if self.only:
            value = {key: value[key] for key in self.only}
        self.only = None
        return self.shown(json.dumps(value, indent=2, ensure_ascii=False))

    def ask(self, method, uri, headers, body=None):
        sent = {"Content-Type": "application/json"} if body else {}
        end = time.monotonic() + WAIT_SECONDS
        while True:
            connection = UnixConnection(self.daemon.socket)
            connection.request(method, uri, body, {**sent, **headers})
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            # A slow machine has no time for it at present: it is asked again, as clients do.
            if method != "GET" or answer.status != 503 or time.monotonic() > end:
                return answer, text
            time.sleep(1)

    def request(self, block):
        head, _, body = self.real(block).partition("\n\n")
        line, *fields = head.strip().splitlines()
        method, uri = line.split(" ", 1)
        headers = dict(field.split(": ", 1) for field in fields)
        if "Authorization" in headers:  # shown without its encoding
            headers["Authorization"] = LOGIN
        answer, text = self.ask(method, uri.replace(" ", "%20"), headers, body.strip() or None)
        if answer.headers["X-Auth-Token"]:
            self.names["TOKEN"] = answer.headers["X-Auth-Token"]
        lines = ["%d %s" % (answer.status, answer.reason)]
        lines += ["%s: %s" % (name, self.shown(answer.headers[name])) for name in HEADERS if answer.headers[name]]
        if text:
            lines += ["", self.body(text)]
        return "\n".join(lines) + "\n"

    def bodies(self):
        return [body for receiver in self.receivers for body in receiver.bodies]

    def received(self, number):
        wait_for("event %d at the receiver" % number, lambda: len(self.bodies()) >= number, 60)
        body = self.bodies()[number - 1]
        body["Id"] = body["Events"][0]["EventId"] = str(FIRST_EVENT + number)
        body["Events"][0]["EventTimestamp"] = TIME
        return self.body(json.dumps(body)) + "\n"


def walk(document, steps):
    """The document with the answers of the service."""
    done, end, answer = [], 0, None
    for match in STEP.finditer(document):
        kind, operand, block = match.groups()
        done.append(document[end:match.start()])
        end = match.end()
        if kind:
            done.append(match.group(0))
            if kind == "host":
                steps.host(*operand.split(":"))
            elif kind == "receiver":
                steps.receive(operand)
            elif kind == "shown":
                steps.only = operand.split(",")
            else:
                answer = steps.received(int(operand))
        elif answer is not None:
            done.append("```http\n%s```" % answer)
            answer = None
        else:
            done.append(match.group(0))
            answer = steps.request(block)
    if answer is not None:
        raise SystemExit("the last request has no block for its answer")
    return "".join(done) + document[end:]


BLOCK = re.compile(r"^```http\n.*?^```\n", re.M | re.S)


def take_record(record, path):
    with open(path, encoding="utf-8") as file:
        part, mark, rest = file.read().partition("<!-- recorded")
    with open(record, encoding="utf-8") as file:
        blocks = iter(BLOCK.findall(file.read()))
    with open(path, "w", encoding="utf-8") as file:
        file.write(part + mark + BLOCK.sub(lambda match: next(blocks), rest))


def main():
    if sys.argv[1] == "--record":
        take_record(sys.argv[2], sys.argv[3])
        return
    program, hosts, scratch, path = sys.argv[1:5]
    with open(path, encoding="utf-8") as file:
        old = file.read()
    # The requests to the machine with changes are compared with its own record (tests/vm).
    part, mark, rest = old.partition("<!-- recorded")
    steps = Walk(program, hosts, scratch)
    try:
        new = walk(part, steps) + mark + rest
    except BaseException:
        if steps.daemon:
            print(steps.daemon.log())
        raise
    finally:
        steps.end()
    if sys.argv[5:] == ["--update"]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != old:
        import difflib
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), path, "answers"))
        raise SystemExit("the answers are not those of the document; UPDATE=1 writes them")


if __name__ == "__main__":
    main()
