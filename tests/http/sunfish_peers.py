# SPDX-License-Identifier: LGPL-2.1-or-later
"""A core of Sunfish for tests, which behaves as the reference does, with what is wrong in it.

From the source of OpenFabrics' sunfish_library_reference and sunfish_server_reference: the requests, their order, their
slashes and their answers, and these defects, each marked DEFECT below: a ConnectionMethod is accepted once; an unknown
origin ends the connection without an answer; of an event the first element alone is forwarded; a ResourceChanged
changes nothing; what is stored is never read again; a deletion fails after the agent has made it; writes are sent
without If-Match. NewerCore has what commit 00bc500a of the library does otherwise; that one was run, see
docs/sunfish.md."""
import http.client
import http.server
import json
import threading
import urllib.parse
import uuid

from event_peers import Server

WAIT_SECONDS = 180
ROOT = "/redfish/v1"
SOURCES = ROOT + "/AggregationService/AggregationSources"
MANY = 4000  # objects; a walk that finds more does not end


class HangUp(Exception):
    """The connection ends without an answer, as after an exception that nothing catches."""


class Refused(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


def exchange(address, method, url, body=None, **headers):
    """A request as the core sends it, from an address of its own. Return: the status, the headers, and what the body has."""
    parts = urllib.parse.urlsplit(url)
    path = url.split(parts.netloc, 1)[1]  # slashes at its start are kept
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=WAIT_SECONDS, source_address=(address, 0))
    try:
        text = json.dumps(body) if body is not None else None
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, text, dict(headers, **{"Content-Type": "application/json"}) if text else headers)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    try:
        return answer.status, answer.headers, json.loads(content) if content else None
    except ValueError:
        return answer.status, answer.headers, content


def ask(address, method, url, body=None):
    """Likewise. Return: the status, and what the body has."""
    status, _, content = exchange(address, method, url, body)
    return status, content


def nested(value):
    """All "@odata.id" below a property."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, (dict, list)):
                yield from nested(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name == "@odata.id":
                yield item
            elif name != "Sunfish_RM" and isinstance(item, (dict, list)):
                yield from nested(item)


def owner_of(stored):
    try:
        return stored["Oem"]["Sunfish_RM"]["ManagingAgent"]["@odata.id"]
    except KeyError:
        raise Refused(500) from None


class Core:
    """@behave: called with the handler, the method and the body of each request; true when it has answered"""

    def __init__(self, address="192.0.2.7", port=5000, behave=None):
        core = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"  # as that of the reference: a connection for each request

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = json.loads(body) if body else None
                with core.lock:
                    core.requests.append((self.command, self.path, body))
                behave = core.behave
                if behave and behave(self, self.command, body):
                    return
                try:
                    self.reply(200, core.serve(self.command, self.path, body))
                except Refused as e:
                    self.reply(e.status, "refused")
                except HangUp:
                    self.close_connection = True

            do_GET = do_POST = do_PATCH = do_DELETE = serve

            def reply(self, status, body, **headers):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *args):
                pass

        self.address, self.behave = address, behave
        self.lock = threading.RLock()
        self.requests = []
        self.reset()
        self.server = Server((address, port), Handler)
        self.url = "http://%s:%d" % self.server.server_address
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def reset(self):
        with self.lock:
            self.stored, self.forwarded, self.fetched, self.contexts, self.answers = {}, [], [], [], []
            self.warnings = []  # of resources that name their agent while it offers them
            self.untagged = []  # what it read without the entity tag that the body names

    # ---- what tests look at

    def sources(self):
        with self.lock:
            return [o for uri, o in self.stored.items() if uri.startswith(SOURCES + "/")]

    def objects(self):
        with self.lock:
            return {uri: o for uri, o in self.stored.items() if "/AggregationService/" not in uri}

    def events(self):
        """The records that subscribers of the core got, in their order."""
        with self.lock:
            return list(self.forwarded)

    def texts(self):
        return [e.get("Message") for e in self.events()]

    def seen(self, method, path):
        with self.lock:
            return [body for m, p, body in self.requests if m == method and p == path]

    def offers(self):
        """URIs of the resources that were offered, in their order."""
        events = [b["Events"][0] for b in self.seen("POST", "/EventListener")]
        return [e["OriginOfCondition"]["@odata.id"] for e in events if e["MessageId"].endswith(".ResourceCreated")]

    # ---- requests to it

    def serve(self, method, path, body):
        if path == "/ResetResources":
            self.reset()
            return {}
        if path == "/EventListener" and method == "POST":
            return self.handle_event(body)
        if method == "GET":
            with self.lock:
                if path not in self.stored:
                    raise Refused(404)
                return self.stored[path]
        return self.write(method, path, body)

    def handle_event(self, payload):
        context = payload.get("Context", "")
        for event in payload["Events"]:
            key = event["MessageId"].split(".")[-1]
            if key == "AggregationSourceDiscovered":
                self.discover(event)
            elif key == "ResourceCreated":
                self.create(event, context)
            elif key == "TriggerEvent":
                raise AssertionError("a command")
        return self.forward(payload)

    def discover(self, event):
        host, method = event["MessageArgs"][1], event["OriginOfCondition"]["@odata.id"]
        assert not host.endswith("/"), host
        status, body = ask(self.address, "GET", "%s/%s" % (host, method))  # two slashes
        if status != 200:
            raise HangUp()
        with self.lock:
            if body["@odata.id"] in self.stored:  # DEFECT
                raise Refused(409)
            assert body["ConnectionMethodType"] == "Redfish" and "@odata.type" in body, body
            self.stored[body["@odata.id"]] = body
            name = str(uuid.uuid4())
            self.stored[SOURCES + "/" + name] = {
                "@odata.id": SOURCES + "/" + name, "@odata.type": "#AggregationSource.v1_2_.AggregationSource",
                "HostName": host, "Id": name, "Links": {"ConnectionMethod": {"@odata.id": method}, "ResourcesAccessed": []}}
        status, _ = ask(self.address, "PATCH", host + ROOT + "/EventService/Subscriptions/SunfishServer", {"Context": name})
        with self.lock:
            self.contexts.append((name, status))

    def create(self, event, context):
        if not context:
            raise Refused(400)
        with self.lock:
            source = self.stored.get(SOURCES + "/" + context)
        if not source:
            raise Refused(400)
        uri = event["OriginOfCondition"]["@odata.id"]
        status, body = self.fetch(source["HostName"] + "/" + uri)  # two slashes
        if status != 200:
            raise HangUp()
        self.walk(source, body["@odata.id"])

    def fetch(self, url):
        status, headers, body = exchange(self.address, "GET", url)
        tag = headers["ETag"]
        with self.lock:
            self.fetched.append((url, status))
            if status == 200 and not (tag and tag == body["@odata.etag"]):
                self.untagged.append((url, tag, body["@odata.etag"]))
        return status, body

    def walk(self, source, first):
        """Breadth first over all links, parents before their children."""
        queue, visited = [first], {first}
        while queue:
            queue.sort()
            uri = queue.pop(0)
            assert len(visited) < MANY, "the walk does not end"
            segments = uri.split("/")
            parents = [ROOT + "/" + "/".join(segments[3:i + 1]) for i in range(4, len(segments) - 1)]
            missing = [p for p in parents if p not in visited]
            if missing:
                visited.update(missing)
                queue += missing + [uri]
                continue
            status, body = self.fetch(source["HostName"] + uri)
            if status != 200 or not isinstance(body, dict):
                continue
            self.store(source, body)
            for value in body.values():
                for link in nested(value):
                    if link not in visited:
                        visited.add(link)
                        queue.append(link)

    def store(self, source, body):
        uri = body.get("@odata.id")
        if not uri or "@odata.type" not in body or "Collection" in body["@odata.type"].split(".")[0]:
            return
        with self.lock:
            if uri in self.stored:  # DEFECT: no update
                owner = owner_of(self.stored[uri])
                if owner == source["@odata.id"]:
                    return
                parent, name = uri.rsplit("/", 1)
                uri = "%s/Sunfish_%s_%s" % (parent, source["Id"][:4], name)
            if "Sunfish_RM" in body.get("Oem", {}):
                self.warnings.append(uri)
            body.setdefault("Oem", {})["Sunfish_RM"] = {
                "@odata.type": "#SunfishExtensions.v1_0_0.ResourceExtensions",
                "ManagingAgent": {"@odata.id": source["@odata.id"]}, "BoundaryComponent": "owned"}
            self.stored[uri] = body
            source["Links"]["ResourcesAccessed"].append(uri)

    def forward(self, payload):
        for event in payload["Events"]:
            origin = event.get("OriginOfCondition")
            with self.lock:
                if origin and origin["@odata.id"] not in self.stored:  # DEFECT
                    raise HangUp()
                if event["MessageId"].split(".")[-1] != "AggregationSourceDiscovered":
                    self.forwarded.append(dict(event, Context=payload.get("Context")))
            return ["subscriber"]  # DEFECT: inside the loop
        return []

    # ---- writes

    def agent_of(self, uri):
        with self.lock:
            owned = self.stored.get(uri, {}).get("Oem", {}).get("Sunfish_RM")
            return self.stored[owned["ManagingAgent"]["@odata.id"]] if owned else None

    def write(self, method, path, body):
        """A write of a client of the core, which goes to the agent first."""
        if method == "POST":
            if "Id" not in body and "@odata.id" not in body:
                name = str(uuid.uuid4())
                body = dict(body, **{"Id": name, "@odata.id": path + "/" + name})
            agent, target = self.agent_of(path.rsplit("/", 1)[0]), body["@odata.id"]
        else:
            agent, target = self.agent_of(path), path
        if not agent:
            raise Refused(404)
        url = agent["HostName"] + "/" + target  # two slashes
        status, answer = ask(self.address, method, url, body)
        with self.lock:
            self.answers.append((url, status, answer))
        if method == "DELETE":  # DEFECT
            raise Refused(500)
        if status != 200:
            raise Refused(500)
        marked = answer.get("Oem", {}).get("Sunfish_RM", {}).get("ManagingAgent", {}).get("@odata.id")
        if marked != agent["@odata.id"]:
            raise Refused(500)
        with self.lock:
            self.stored[answer["@odata.id"]] = answer
        return answer


class NewerCore(Core):
    def handle_event(self, payload):
        context, answer = payload.get("Context", ""), []
        for event in payload["Events"]:
            key = event["MessageId"].split(".")[-1]
            if key == "AggregationSourceDiscovered":
                self.discover(event)
                raise Refused(500)  # DEFECT: its answer is no JSON
            if key == "ResourceCreated":
                self.create(event, context)
                answer.append({"MessageId": key, "dispatch_response": 200})
            elif key == "ResourceChanged":
                self.change(event, context)
                answer.append({"MessageId": key, "dispatch_response": 200})
        return answer  # DEFECT: no other event goes to its subscribers

    def change(self, event, context):
        uri = event["OriginOfCondition"]["@odata.id"]
        status, body = self.fetch(self.stored[SOURCES + "/" + context]["HostName"] + uri)
        with self.lock:
            if status == 200 and uri in self.stored:  # otherwise it logs an error
                self.stored[uri].update(body)  # DEFECT: the whole Oem, where it keeps whose it is
