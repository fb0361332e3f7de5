# SPDX-License-Identifier: LGPL-2.1-or-later
"""The peers of tests of events: the daemon, receivers of all manners, and readers of its stream."""
import base64
import contextlib
import http.client
import http.server
import json
import os
import re
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from redfish_client import WAIT_SECONDS, UnixConnection  # noqa: E402

# A receiver that comes again at its port has an address of its own: at 127.0.0.1 another test may have the port then.
OWN_ADDRESS = "127.%d.%d.%d" % (1 + (os.getpid() >> 16) % 254, os.getpid() >> 8 & 255, 1 + os.getpid() % 254)
SERVICE = "/redfish/v1/EventService"
SUBSCRIPTIONS = SERVICE + "/Subscriptions"
SSE = SERVICE + "/SSE"
TEST = SERVICE + "/Actions/EventService.TestEventSubscription"
SUBMIT = SERVICE + "/Actions/EventService.SubmitTestEvent"


def wait_for(what, condition, seconds=WAIT_SECONDS):
    """The value of the condition as soon as it is true; a failure when it does not get so."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("not within %d s: %s" % (seconds, what))
        time.sleep(0.02)


# Freed memory is not kept, as the address sanitizer would.
os.environ["ASAN_OPTIONS"] = ":".join(
    filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))


@contextlib.contextmanager
def running(daemon):
    """Starts it, and ends it in order; after a failure its log is printed, and it is killed."""
    daemon.start()
    try:
        yield daemon
    except BaseException:
        print(daemon.log())
        daemon.process.kill()
        raise
    daemon.stop()


class Daemon:
    def __init__(self, program, host, scratch, *options):
        self.command = [program, "--host", host, "--listen", "unix:" + scratch + "/socket",
                        "--state", scratch + "/state", "--push-allow", "127.0.0.0/8", "--task-after", "600", *options]
        self.socket = scratch + "/socket"
        self.state = scratch + "/state"
        self.log_path = scratch + "/log"
        self.process = None

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline()
        if not line.startswith(b"listening on"):
            raise AssertionError("the daemon did not come up: " + self.log())
        return self

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        status = self.process.wait(WAIT_SECONDS)
        self.process.stdout.close()
        assert status == 0, "the daemon ended with %d: %s" % (status, self.log())
        return time.monotonic() - begun

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def rss_kib(self):
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def helper(self):
        """The process that posts, None when there is none."""
        out = subprocess.run(["pgrep", "-P", str(self.process.pid), "-f", "cxl-redfish-push"],
                             capture_output=True, text=True, check=False).stdout.split()
        return int(out[0]) if out else None

    def ask(self, method, uri, body=None, headers=None):
        connection = UnixConnection(self.socket)
        text = json.dumps(body) if body is not None else None
        sent = {"Content-Type": "application/json"} if text else {}
        connection.request(method, uri, text, {**sent, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, json.loads(text) if text else None

    def expect(self, status, method, uri, body=None):
        got, headers, answer = self.ask(method, uri, body)
        assert got == status, "%s %s %s: %d instead of %d: %s" % (method, uri, body, got, status,
                                                               answer)
        return headers, answer

    def get(self, uri):
        return self.expect(200, "GET", uri)[1]

    def subscribe(self, url, **properties):
        headers, _ = self.expect(201, "POST", SUBSCRIPTIONS,
                                 {"Destination": url, "Protocol": "Redfish", **properties})
        return headers["Location"]

    def test(self, status):
        """TestEventSubscription. Return: the error, None without."""
        answer = self.expect(status, "POST", TEST)[1]
        return answer["error"]["@Message.ExtendedInfo"][0] if answer else None

    def submit(self, text, **parameters):
        self.expect(204, "POST", SUBMIT,
                    {"MessageId": "Test.1.0.Event", "Message": text, **parameters})

    def n_subscriptions(self):
        return self.get(SUBSCRIPTIONS)["Members@odata.count"]


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    daemon_threads = True
    block_on_close = False

    def server_bind(self):  # without a question to a name server about the address
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address

    def handle_error(self, *args):
        pass


class Receiver:
    """Takes what is posted. `behave(handler)` may do something else than answer 204."""

    def __init__(self, behave=None, port=0, context=None, address="127.0.0.1"):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                receiver.sockets.append(self.request)
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.headers.append(self.headers)
                body = json.loads(body)
                receiver.posts.append((self.path, body))
                receiver.bodies.append(body)
                if behave:
                    behave(self)
                else:
                    self.send_response(204)
                    self.end_headers()

            def log_message(self, *args):
                pass

        self.bodies, self.headers, self.posts, self.sockets = [], [], [], []
        self.server = Server((address, port), Handler)
        scheme = "http"
        if context:
            scheme = "https"
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = "%s://%s:%d/events" % (scheme, address, self.port)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        for sock in self.sockets:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def records(self):
        return [record for body in list(self.bodies) for record in body["Events"]]

    def texts(self):
        return [record.get("Message") for record in self.records()]

    def ids(self):
        return [record["EventId"] for record in self.records()]


class Stream:
    """Reads server-sent events on a thread of its own; @login: "NAME:PASSWORD" instead of the user of the socket."""

    def __init__(self, path, last_id=None, query="", read=True, login=None):
        self.events, self.comments, self.ended = [], 0, False
        self.connection = UnixConnection(path)
        headers = {"Accept": "text/event-stream"}
        if login:
            headers["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        self.connection.request("GET", SSE + query, headers=headers)
        self.sock = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        if self.status == 200 and read:
            self.sock.settimeout(None)
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        event = {}
        try:
            for line in self.answer:
                line = line.decode().rstrip("\n")
                if not line:
                    if "id" in event:
                        self.events.append((int(event["id"]), json.loads(event["data"]),
                                            time.monotonic()))
                    event = {}
                elif line.startswith(":"):
                    self.comments += 1
                else:
                    name, _, value = line.partition(": ")
                    event[name] = value
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass
        self.ended = True

    def texts(self):
        return [body["Events"][0].get("Message") for _, body, _ in list(self.events)]

    def ids(self):
        return [number for number, _, _ in list(self.events)]

    def close(self):
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.connection.close()


def certificate(directory, name="127.0.0.1"):
    """A key and a self-signed certificate for this machine. Return: a server's context."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=" + name, "-addext", "subjectAltName=IP:" + name,
                    "-keyout", directory + "/key.pem", "-out", directory + "/cert.pem"],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory + "/cert.pem", directory + "/key.pem")
    return context


def run(tests, argv):
    """Runs the functions named on the command line, or all; each prints what it saw."""
    names = argv or [test.__name__ for test in tests]
    failed = 0
    for test in tests:
        if test.__name__ not in names:
            continue
        begun = time.monotonic()
        try:
            said = test()
        except (AssertionError, OSError, http.client.HTTPException) as problem:
            failed += 1
            print("FAIL: %s: %s" % (test.__name__, problem))
            continue
        print("%s: %.1f s%s" % (test.__name__, time.monotonic() - begun,
                                ", " + said if said else ""))
    return 1 if failed else 0
