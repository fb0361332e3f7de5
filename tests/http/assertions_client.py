# SPDX-License-Identifier: LGPL-2.1-or-later
"""The common part of the tests of the protocol's assertions: a client, the service under test, the runner.

Each assertion is a function of assertions_GROUP.py with its name in lower case. It raises
AssertionError when it does not hold. Assertions that cannot apply to this service are in the module's
DOES_NOT_APPLY, with the reason.
"""
import base64
import http.client
import json
import os
import re
import socket
import ssl
import sys
import threading
import time
import traceback
import urllib.parse

sys.dont_write_bytecode = True
from redfish_client import WAIT_SECONDS, parse, walk  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = "/redfish/v1/"
ACCOUNTS = ROOT + "AccountService/Accounts"
ROLES = ROOT + "AccountService/Roles"
SESSION_SERVICE = ROOT + "SessionService"
SESSIONS = SESSION_SERVICE + "/Sessions"
EVENT_SERVICE = ROOT + "EventService"
SUBSCRIPTIONS = EVENT_SERVICE + "/Subscriptions"
PAGE = "https://page.example"  # its origin is configured
JSON = {"Content-Type": "application/json"}
PASSWORD = "first-password-of-Admin-1"


def wait_for(what, condition, seconds=WAIT_SECONDS):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, "not within %d s: %s" % (seconds, what)
        time.sleep(0.02)


class Reply:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text

    @property
    def json(self):
        return parse(self.text)

    def messages(self):
        """The messages of an error response, each checked for its required properties."""
        error = self.json["error"]
        assert error["code"] and error["message"], error
        infos = error["@Message.ExtendedInfo"]
        assert infos, error
        for info in infos:
            assert info["@odata.type"].startswith("#Message."), info
            for name in ("MessageId", "Message", "MessageSeverity", "Resolution"):
                assert info[name], (name, info)
            assert isinstance(info["MessageArgs"], list), info
        return infos

    def keys(self):
        return [info["MessageId"].rsplit(".", 1)[1] for info in self.messages()]

    def args(self):
        return [arg for info in self.messages() for arg in info["MessageArgs"]]


class Client:
    """Requests with one credential, over one connection that is opened again when it was closed."""

    def __init__(self, url, login=None, token=None):
        self.url = urllib.parse.urlsplit(url)
        self.tls = self.url.scheme == "https"
        self.credential = {}
        if login:
            text = base64.b64encode(("%s:%s" % login).encode()).decode()
            self.credential = {"Authorization": "Basic " + text}
        if token:
            self.credential = {"X-Auth-Token": token}
        self.connection = None

    def context(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # its own certificate; see sec_certs_conform_x509v3
        return context

    def open(self):
        make = http.client.HTTPConnection
        options = {"timeout": WAIT_SECONDS}
        if self.tls:
            make, options["context"] = http.client.HTTPSConnection, self.context()
        return make(self.url.hostname, self.url.port, **options)

    def ask(self, method, path, body=None, headers=None, login=True):
        """@body: text, or what becomes JSON. None in headers removes one. A service that is busy, or that needs longer for
        a query than it may take, says 503 and when to ask again."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            reply = self.ask_once(method, path, body, headers, login)
            if reply.status != 503 or "Retry-After" not in reply.headers or time.monotonic() > end:
                return reply
            time.sleep(0.2)

    def ask_once(self, method, path, body, headers, login):
        sent = dict(self.credential) if login else {}
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
            sent.update(JSON)
        sent.update(headers or {})
        sent = {name: value for name, value in sent.items() if value is not None}
        for attempt in (1, 2):
            if not self.connection:
                self.connection = self.open()
            try:
                self.connection.request(method, path, body, sent)
                answer = self.connection.getresponse()
                reply = Reply(answer.status, answer.headers, answer.read())
                break
            except (http.client.HTTPException, ConnectionError, ssl.SSLEOFError):
                self.connection.close()
                self.connection = None
                if attempt == 2:
                    raise
        return reply

    def expect(self, status, method, path, body=None, **more):
        reply = self.ask(method, path, body, **more)
        allowed = status if isinstance(status, (tuple, list, set, range)) else (status,)
        assert reply.status in allowed, "%s %s: %d instead of %s: %.400s" % (
            method, path, reply.status, status, reply.text.decode(errors="replace"))
        return reply

    def get(self, path, **more):
        return self.expect(200, "GET", path, **more)

    def raw_socket(self):
        s = socket.create_connection((self.url.hostname, self.url.port), WAIT_SECONDS)
        return self.context().wrap_socket(s, server_hostname=self.url.hostname) if self.tls else s

    def raw(self, data):
        """Sends exactly these bytes, which libraries would not."""
        with self.raw_socket() as s:
            s.sendall(data)
            text = b""
            while True:
                try:
                    more = s.recv(65536)
                except (ssl.SSLError, ConnectionError, socket.timeout):
                    break
                text += more
                head, found, rest = text.partition(b"\r\n\r\n")
                length = re.search(rb"(?im)^content-length: *(\d+)", head)
                if not more or (found and length and len(rest) >= int(length.group(1))):
                    break
        head, _, rest = text.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1]) if len(lines[0].split()) > 1 else 0
        headers = http.client.HTTPMessage()
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name] = value.strip()
        return Reply(status, headers, rest)

    def lines(self, method, path, *headers, login=True, version="HTTP/1.1"):
        """A request without body, with these header lines only and the credential."""
        all_lines = ["%s %s %s" % (method, path, version), *headers]
        if login:
            all_lines += ["%s: %s" % pair for pair in self.credential.items()]
        return self.raw("\r\n".join(all_lines + ["", ""]).encode("latin-1"))


class Stream:
    """A stream of server-sent events, read by a thread until either side closes it."""

    def __init__(self, client, query="", last_id=None):
        self.socket = client.raw_socket()
        lines = ["GET %s/SSE%s HTTP/1.1" % (EVENT_SERVICE, query), "Host: %s" % client.url.netloc]
        lines += ["%s: %s" % pair for pair in client.credential.items()]
        if last_id is not None:
            lines.append("Last-Event-ID: %s" % last_id)
        self.socket.sendall("\r\n".join(lines + ["", ""]).encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = http.client.parse_headers(self.file)
        self.text, self.ended = b"", False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        chunked = self.headers.get("Transfer-Encoding") == "chunked"
        try:
            while True:
                if chunked:
                    size = int(self.file.readline() or b"0", 16)
                    data = self.file.read(size) if size else b""
                    self.file.readline()
                else:
                    data = self.file.read1(65536)
                if not data:
                    break
                self.text += data
        except (OSError, ValueError):
            pass
        self.ended = True

    def events(self):
        """Complete ones, as lists of (field, value); comments are left out."""
        blocks = self.text.replace(b"\r\n", b"\n").split(b"\n\n")[:-1]
        out = []
        for block in blocks:
            fields = [tuple(line.decode().split(": ", 1)) for line in block.split(b"\n")
                      if line and not line.startswith(b":")]
            if fields:
                out.append(fields)
        return out

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join(5)
        self.file.close()
        self.socket.close()


class Service:
    """The service under test: @url over HTTPS, @plain over HTTP on loopback."""

    def __init__(self, url, plain, redirecting, directory):
        self.url, self.plain, self.redirecting, self.directory = url, plain, redirecting, directory
        self.login = ("admin", PASSWORD)
        self.admin = Client(url, self.login)
        self.anonymous = Client(url)
        self.resources = None
        self.made = {}

    def account(self, role):
        """A client with an account of a role, which is created when it is first asked for."""
        if role not in self.made:
            name, password = "the-" + role, "password-of-%s-1" % role
            reply = self.admin.expect(201, "POST", ACCOUNTS, {
                "UserName": name, "Password": password, "RoleId": role})
            self.made[role] = Client(self.url, (name, password))
            self.made[role].uri = reply.headers["Location"]
            self.made[role].login = (name, password)
        return self.made[role]

    def new_account(self, name, role="ReadOnly", **more):
        """An account that the test may change; the client's `uri` is its resource."""
        password = "password-of-%s-1" % name
        reply = self.admin.expect(201, "POST", ACCOUNTS, {
            "UserName": name, "Password": password, "RoleId": role, **more})
        client = Client(self.url, (name, password))
        client.uri, client.login = reply.headers["Location"], (name, password)
        return client

    def session(self, login=None):
        """A client with a session: `uri` is its resource, `reply` that of the login."""
        name, password = login or self.login
        reply = self.anonymous.expect(201, "POST", SESSIONS,
                                   {"UserName": name, "Password": password})
        client = Client(self.url, token=reply.headers["X-Auth-Token"])
        client.uri = urllib.parse.urlsplit(reply.headers["Location"]).path
        client.reply = reply
        return client

    def etag(self, uri):
        return self.admin.get(uri).headers["ETag"]

    def all(self):
        """All resources that can be reached by links: URI and the reply to GET."""
        if self.resources is None:
            self.resources, wanted = {}, [ROOT]
            while wanted:
                uri = wanted.pop()
                if uri in self.resources:
                    continue
                # The audit log refers to sessions and accounts that have been removed.
                gone = uri.startswith((SESSIONS + "/", ACCOUNTS + "/", SUBSCRIPTIONS + "/"))
                reply = self.admin.expect((200, 404) if gone else 200, "GET", uri)
                if reply.status == 404:
                    continue
                self.resources[uri] = reply
                for _, item in walk(reply.json):
                    link = item.get("@odata.id", "").partition("#")[0]
                    if link.startswith("/") and link not in self.resources:
                        wanted.append(link)
            assert len(self.resources) > 50, "only %d resources" % len(self.resources)
        return self.resources

    def collections(self):
        return {uri: r for uri, r in self.all().items() if "Members" in r.json}

    def submit_event(self, text):
        self.admin.expect((204, 200), "POST",
                          EVENT_SERVICE + "/Actions/EventService.SubmitTestEvent",
                          {"MessageId": "Test.1.0.Event", "Message": text})


def names_of_all():
    with open(os.path.join(HERE, "assertions.list"), encoding="ascii") as f:
        return [line.strip() for line in f if not line.startswith("#")]


def check_names(module, group):
    """Each assertion of the group is tested or excused, and so does docs/protocol.md say."""
    wanted = {name for name in names_of_all() if name.startswith(group.upper() + "_")}
    tested = {name.upper() for name in vars(module) if name.startswith(group + "_")}
    excused = set(module.DOES_NOT_APPLY)
    assert not tested & excused, "both tested and excused: %s" % (tested & excused)
    assert tested | excused == wanted, "not treated: %s; not in assertions.list: %s" % (
        sorted(wanted - tested - excused), sorted((tested | excused) - wanted))
    path = os.path.join(HERE, "../../docs/protocol.md")
    with open(path, encoding="utf-8") as f:
        document = dict(re.findall(r"(?m)^\| (%s_\w+) \| (.*) \|$" % group.upper(), f.read()))
    shown = {name: "assertions_%s.py" % group for name in tested}
    shown.update(module.DOES_NOT_APPLY)
    assert document == shown, "docs/protocol.md differs: %s" % sorted(
        document.items() ^ shown.items())


def run(module, arguments):
    group = os.path.basename(module.__file__)[len("assertions_"):-len(".py")]
    service = Service(*arguments[:4])
    only = arguments[4:]
    failed = 0
    try:
        check_names(module, group)
    except AssertionError as e:
        print("FAIL: names: %s" % e)
        failed += 1
    tests = [name for name in vars(module) if name.startswith(group + "_")]
    for name in tests:
        if only and name not in only:
            continue
        try:
            getattr(module, name)(service)
            print("ok: " + name.upper())
        except Exception as e:  # pylint: disable=broad-except
            failed += 1
            print("FAIL: %s: %s: %s" % (name.upper(), type(e).__name__, e))
            if not isinstance(e, AssertionError) or not str(e):
                traceback.print_exc(limit=-2, file=sys.stdout)
    print("%d assertions, %d failed" % (len(tests), failed))
    return failed > 0
