#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""SIGHUP: another configuration is used while connections and streams go on.

    reload.py DAEMON HOST SCRATCH [TEST...]
"""
import base64
import contextlib
import errno
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
from event_peers import OWN_ADDRESS, SUBMIT, SUBSCRIPTIONS, Receiver, Stream, certificate, run, wait_for  # noqa: E402
from redfish_client import Service  # noqa: E402

DAEMON, HOST, SCRATCH = sys.argv[1:4]
ROOT = "/redfish/v1/"
LOG = "/redfish/v1/Systems/Host/LogServices/CXL"
CONF = SCRATCH + "/reload.conf"


def path(name):
    return "%s/%s" % (SCRATCH, name)


def configure(*lines):
    # As editors do: the file that is read is complete.
    with open(CONF + ".new", "w", encoding="ascii") as f:
        f.write("".join(line + "\n" for line in lines))
    os.rename(CONF + ".new", CONF)


def table():
    """The file of the host's own CEDT: another one would be refused."""
    data = subprocess.run(["tar", "--zstd", "-xOf", HOST, "./sys/firmware/acpi/tables/CEDT"], stdout=subprocess.PIPE,
                          check=True).stdout
    with open(path("CEDT"), "wb") as f:
        f.write(data)
    return path("CEDT")


class Daemon:
    def __init__(self, *options, held=None):
        """@held: a listening socket that systemd would pass"""
        self.out = open(path("reload.out"), "w+b")
        self.err = open(path("reload.err"), "w+b")
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path("notify"))
        self.notices.bind(path("notify"))
        self.notices.setblocking(False)
        passed = ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&0', "sh"] if held else []
        self.process = subprocess.Popen(
            [*passed, DAEMON, "--config", CONF, "--host", HOST, "--push-allow", "127.0.0.0/8", "--task-after", "600", *options], stdin=held, stdout=self.out, stderr=self.err,
            env={**os.environ, "NOTIFY_SOCKET": path("notify"), "RUNTIME_DIRECTORY": SCRATCH},
            preexec_fn=lambda: os.umask(0o077))
        wait_for("the start", lambda: "READY=1" in self.notified() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log()

    def notified(self):
        texts = []
        with contextlib.suppress(BlockingIOError):
            while True:
                texts += self.notices.recv(4096).decode().splitlines()
        return texts

    def text(self, file):
        return os.pread(file.fileno(), 1 << 20, 0).decode(errors="replace")

    def log(self):
        return self.text(self.err)

    def output(self):
        return self.text(self.out)

    def hangup(self):
        """Reloads. Return: what the log says of it."""
        before = len(self.log())
        self.notified()
        os.kill(self.process.pid, signal.SIGHUP)
        texts = []
        wait_for("READY=1", lambda: texts.extend(self.notified()) or "READY=1" in texts)
        assert texts.index("RELOADING=1") < texts.index("READY=1"), texts
        assert any(text.startswith("MONOTONIC_USEC=") for text in texts), texts
        return self.log()[before:]

    def has_ended(self):
        # It waits until its notifications are read.
        self.notified()
        return self.process.poll() is not None

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.terminate()
        wait_for("the end", self.has_ended)
        status = self.process.returncode
        self.notices.close()
        if kind is None:
            assert status == 0, "the daemon ended with %d: %s" % (status, self.log())


def status_of(service, uri=ROOT, **headers):
    service.connection.request("GET", uri, headers=headers)
    answer = service.connection.getresponse()
    answer.read()
    return answer.status, answer.getheader("Connection", "")


def refused(name):
    try:
        Service(path(name)).ask("GET", ROOT)
    except (ConnectionRefusedError, FileNotFoundError):
        return True
    return False


def submit(name, text):
    status, _, body = Service(path(name)).ask(
        "POST", SUBMIT, '{"MessageId": "Test.1.0.Event", "Message": "%s"}' % text)
    assert status == 204, body


def metrics(url):
    try:
        with urllib.request.urlopen(url, timeout=180) as answer:
            return answer.status
    except urllib.error.URLError as problem:
        return problem.reason


def listeners_come_and_go():
    a, b, c = ("listen = unix:" + path(name) for name in "abc")
    configure(a, b)
    with Daemon("--state", path("state")) as d:
        def threads():
            return len(os.listdir("/proc/%d/task" % d.process.pid))

        kept, removed = Service(path("a")), Service(path("b"))
        inode = os.stat(path("a")).st_ino
        assert status_of(kept) == status_of(removed) == (200, "")
        streams = [Stream(path("a")), Stream(path("b"))]
        submit("a", "before")
        for stream in streams:
            wait_for("an event", lambda s=stream: s.texts() == ["before"])

        configure(a, c, "metrics = http://127.0.0.1:0")
        said = d.hangup()
        assert "no longer listening on unix:" + path("b") in said, said
        assert os.stat(path("a")).st_ino == inode, "a listener that did not change was opened again"
        assert refused("b") and not os.path.exists(path("b"))
        mode = stat.S_IMODE(os.stat(path("c")).st_mode)
        assert mode == 0o660, "mode %o" % mode
        assert status_of(Service(path("c"))) == (200, "")
        url = next(line.split()[-1] for line in d.output().splitlines() if line.startswith("metrics on"))
        assert metrics(url) == 200
        assert status_of(kept) == (200, ""), "the connection of a kept listener is closed"
        assert status_of(removed) == (200, "close")
        submit("c", "after")
        for stream in streams:
            wait_for("another event", lambda s=stream: s.texts() == ["before", "after"])
            assert not stream.ended

        configure(a, b)
        d.hangup()
        assert status_of(Service(path("b"))) == (200, "") and refused("c")
        assert isinstance(metrics(url), ConnectionRefusedError)
        submit("b", "last")
        n = threads()
        for stream in streams:
            wait_for("the last event", lambda s=stream: s.texts()[-1] == "last")
            stream.close()
        # Each server has threads of its own: those of retired ones end.
        wait_for("the end of retired servers", lambda: threads() < n)
        assert status_of(kept) == (200, "")


def a_port_can_be_used_again_while_old_connections_are_open():
    a = "listen = unix:" + path("a")
    with socket.socket() as s:
        s.bind((OWN_ADDRESS, 0))
        address = s.getsockname()
    listener = "http://%s:%d" % address
    request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    configure(a, "metrics = " + listener)
    with Daemon() as d, socket.create_connection(address, 10) as old:
        # A later connection is answered, so this one is accepted: another is reset with its listener.
        assert metrics(listener + "/metrics") == 200
        configure(a)
        d.hangup()
        configure(a, "metrics = " + listener)
        assert "reloaded" in d.hangup()
        assert metrics(listener + "/metrics") == 200
        old.sendall(request)
        text = b""
        while data := old.recv(4096):
            text += data
        assert text.startswith(b"HTTP/1.1 200 ") and b"\r\nConnection: close\r\n" in text, text


def a_refused_configuration_changes_nothing():
    a, b = ("listen = unix:" + path(name) for name in "ab")
    configure(a, "max-events = 1000")
    with Daemon("--state", path("state")) as d:
        def same():
            assert not os.path.exists(path("b"))
            assert Service(path("a")).ask_json("GET", LOG)[2]["MaxNumberOfRecords"] == 1000
        configure(a, b, "max-events = 2000", "nonsense = 1")
        said = d.hangup()
        assert "remains as it was: %s:4: nonsense: there is no such key" % CONF in said, said
        same()
        configure(a, b, "max-events = 2000", "listen = unix:%s/no/where" % SCRATCH)
        said = d.hangup()
        assert "cannot listen on unix:%s/no/where" % SCRATCH in said, said
        same()
        os.unlink(CONF)
        said = d.hangup()
        assert "cannot read the configuration %s: No such file" % CONF in said, said
        same()
        configure(a, "max-events = 2000")
        d.hangup()
        assert Service(path("a")).ask_json("GET", LOG)[2]["MaxNumberOfRecords"] == 2000


def clients_of_a_kept_listener_notice_nothing():
    a, b = ("listen = unix:" + path(name) for name in "ab")
    configure(a)
    done, wrong = threading.Event(), []
    n = [0] * 4

    def client(i):
        kept = Service(path("a"))
        while not done.is_set():
            try:
                # The odd ones make a connection for each request.
                got = status_of(kept if i % 2 == 0 else Service(path("a")), LOG)
            except OSError as problem:
                got = problem
            if got == (503, ""):  # a slow machine has no time for it
                continue
            if got != (200, ""):
                wrong.append(got)
            n[i] += 1

    with Daemon("--state", path("state")) as d:
        threads = [threading.Thread(target=client, args=(i,)) for i in range(len(n))]
        for thread in threads:
            thread.start()
        for i in range(20):
            configure(*[a, b, "poll = 1", "max-events = 100"][:1 + 3 * (i % 2)], "# %d" % i)
            d.hangup()
        # Several at a time are one, and one more.
        for _ in range(50):
            os.kill(d.process.pid, signal.SIGHUP)
        done.set()
        for thread in threads:
            thread.join()
        assert not wrong and min(n) > 0, (wrong[:3], n)


def limits_and_levels_change():
    a = "listen = unix:" + path("a")
    configure(a)
    with Daemon("--state", path("state"), "--push-interval", "7") as d:
        def number(uri, name):
            return Service(path("a")).ask_json("GET", uri)[2][name]
        assert number(ROOT + "EventService", "DeliveryRetryAttempts") == 3
        for i in range(20):
            submit("a", "event %d" % i)
        configure(a, "max-events = 10", "never-overwrite = yes", "push-attempts = 9",
                  "push-interval = 8", "poll = 1", "push-ca = " + CONF, "log-level = warning",
                  "state = /no/where", "tables = " + table(), "switch-mailbox = auto",
                  "allow = fabric")
        said = d.hangup()
        assert "the new value of tables is used after a restart" in said, said
        assert "the new value of switch-mailbox is used after a restart" in said, said
        assert "the new value of allow" not in said, "it is used at once: " + said
        assert "the new value of state" not in said, "the command line has it: " + said
        assert number(LOG, "MaxNumberOfRecords") == 10
        assert number(LOG, "OverWritePolicy") == "NeverOverWrites"
        assert number(ROOT + "EventService", "DeliveryRetryAttempts") == 9
        assert number(ROOT + "EventService", "DeliveryRetryIntervalSeconds") == 7
        before = len(d.log())
        d.hangup()
        assert "reloaded" not in d.log()[before:], "information is logged: " + d.log()
        configure(a)
        assert "reloaded" in d.hangup()
        assert number(LOG, "OverWritePolicy") == "WrapsWhenFull"


def the_state_directory_stays_until_a_restart():
    before, later = path("before"), path("later")
    listeners = ["listen = unix:" + path("a"), "listen = https://127.0.0.1:0"]
    password = "password-file = " + path("password")
    configure(*listeners, password, "state = " + before)
    with Daemon() as d:
        for missing in (True, False):
            if not missing:
                os.mkdir(later, 0o700)
            configure(*listeners, password, "state = " + later)
            said = d.hangup()
            assert "the new value of state is used after a restart" in said, said
            assert "the configuration was reloaded" in said, said
            assert missing or not os.listdir(later), "a certificate is made there: " + said
            configure(*listeners, password, "state = " + before)
            d.hangup()


def authorities_of_subscribers_change():
    a = "listen = unix:" + path("a")
    receiver = Receiver(context=certificate(SCRATCH))
    configure(a, "push-interval = 1")
    with Daemon("--state", path("state")) as d:
        status, _, body = Service(path("a")).ask(
            "POST", SUBSCRIPTIONS, '{"Destination": "%s", "Protocol": "Redfish"}' % receiver.url)
        assert status == 201, body
        submit("a", "event")
        wait_for("a failure", lambda: "could not be reached" in d.log())
        assert receiver.texts() == []
        configure(a, "push-interval = 1", "push-ca = " + path("cert.pem"))
        d.hangup()
        wait_for("the event", lambda: "event" in receiver.texts())
        assert "ended unexpectedly" not in d.log(), d.log()
    receiver.close()


def reload(daemon, n=1):
    """As the unit's ExecReload= does, @n at the same time. Return: of each the exit status and the message."""
    program = os.path.join(os.path.dirname(DAEMON), "cxl-redfish-reload")
    asked = [subprocess.Popen([program, path("reload")], stderr=subprocess.PIPE, encoding="utf-8") for _ in range(n)]

    def ended():
        # The service waits until its notifications are read.
        if daemon:
            daemon.notified()
        return all(one.poll() is not None for one in asked)

    wait_for("the results", ended)
    return [(one.returncode, one.communicate()[1]) for one in asked]


def conditions(name):
    status, _, body = Service(path(name)).ask("GET", ROOT + "Managers/Service")
    assert status == 200, body
    return [one["MessageId"].rsplit(".", 1)[1] for one in json.loads(body)["Status"].get("Conditions", [])]


def a_request_waits_for_the_result_and_a_refusal_is_shown_until_it_is_mended():
    good = "listen = unix:" + path("a")
    configure(good)
    with Daemon("--state", path("state")) as d:
        assert reload(d) == [(0, "")]
        assert "ConfigRefused" not in conditions("a")
        configure(good, "poll = often")
        [(status, text)] = reload(d)
        assert status == 1 and "poll" in text and CONF in text, text
        wait_for("the condition", lambda: "ConfigRefused" in conditions("a"))
        # Each of many requests at the same time gets the result.
        assert [one[0] for one in reload(d, 8)] == [1] * 8
        configure(good)
        assert reload(d) == [(0, "")]
        wait_for("the end of the condition", lambda: "ConfigRefused" not in conditions("a"))
    [(status, text)] = reload(None)
    assert status == 1 and "cannot reach the service" in text, text


def a_reload_is_refused_where_the_next_start_would_fail():
    good = "listen = unix:" + path("a")
    damaged = path("damaged")
    with open(damaged, "w", encoding="ascii") as f:
        f.write("CEDT @ 0x1\n    0010: 43\n")
    configure(good, "state = " + path("state"))
    with Daemon("--tables", table()) as d:
        # The command line had it for one start only.
        os.unlink(path("CEDT"))
        assert reload(d) == [(0, "")]
        for key, value in (("host", "/no/where"), ("push-ca", "/no/where"), ("client-ca", "/no/where"),
                           ("client-crl", "/no/where"), ("state", "/no/where"), ("state", CONF)):
            configure(good, *(["state = " + path("state")] if key != "state" else []), "%s = %s" % (key, value))
            [(status, text)] = reload(d)
            # The value of the command line is used, and the file's is not opened.
            assert (status == 0) == (key == "host"), (key, text)
            assert status == 0 or value in text, text
    configure(good)
    with Daemon("--state", path("state")) as d:
        for value in ("/no/where", damaged):
            configure(good, "tables = " + value)
            [(status, text)] = reload(d)
            assert status == 1 and value in text and CONF + ":2: " in text, text
            wait_for("the condition", lambda: "ConfigRefused" in conditions("a"))
        configure(good, "tables = " + table())
        assert reload(d) == [(0, "")]


def a_port_that_systemd_holds_is_used_by_a_listener_at_its_address_only():
    held = socket.create_server(("127.0.0.1", 0))
    port = held.getsockname()[1]
    listen = "listen = http://127.0.0.1:%d" % port
    word = path("word")
    with open(word, "w", encoding="ascii") as f:
        f.write("secret\n")

    def answer():
        with socket.create_connection(("127.0.0.1", port), timeout=180) as client:
            try:
                client.sendall(b"GET /redfish HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return client.recv(12).decode()
            except (BrokenPipeError, ConnectionResetError):
                return ""

    configure(listen, "password-file = " + word)
    with Daemon(held=held) as d:
        assert answer() == "HTTP/1.1 200"
        configure("listen = unix:" + path("a"))
        d.hangup()
        assert answer() == ""
        configure("listen = http://0.0.0.0:%d" % port, "read-only-peer = 127.0.0.1", "password-file = " + word)
        said = d.hangup()
        assert "systemctl mask --now cxl-redfishd-ipv4.socket" in said, said
        configure(listen, "password-file = " + word)
        d.hangup()
        assert answer() == "HTTP/1.1 200"
    # Nobody else can take it while the service is away.
    try:
        socket.create_server(("127.0.0.1", port)).close()
        assert False, "the port is free"
    except OSError as problem:
        assert problem.errno == errno.EADDRINUSE, problem
    held.close()


def passwords_change():
    word = path("word")

    def change(text):
        with open(word, "w", encoding="ascii") as f:
            f.write(text + "\n")

    def login(service, text):
        token = base64.b64encode(b"admin:" + text.encode()).decode()
        return status_of(service, ROOT + "Systems", Authorization="Basic " + token)[0]

    change("one")
    configure("listen = unix:" + path("a"), "password-file = " + word)
    with Daemon() as d:
        kept = Service(path("a"))
        assert login(kept, "one") == 200 and login(kept, "two") == 401
        change("two")
        d.hangup()
        assert login(kept, "two") == 200 and login(kept, "one") == 401
        os.unlink(word)
        said = d.hangup()
        assert "password-file: cannot read " + word in said, said
        assert login(kept, "two") == 200
        change("")
        assert "first line is empty" in d.hangup()
        assert login(kept, "two") == 200 and login(kept, "") == 401


if __name__ == "__main__":
    sys.exit(run([listeners_come_and_go, a_port_can_be_used_again_while_old_connections_are_open,
                  a_refused_configuration_changes_nothing,
                  clients_of_a_kept_listener_notice_nothing, limits_and_levels_change,
                  the_state_directory_stays_until_a_restart,
                  authorities_of_subscribers_change, passwords_change,
                  a_reload_is_refused_where_the_next_start_would_fail, a_port_that_systemd_holds_is_used_by_a_listener_at_its_address_only,
                  a_request_waits_for_the_result_and_a_refusal_is_shown_until_it_is_mended], sys.argv[4:]))
