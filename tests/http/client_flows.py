# SPDX-License-Identifier: LGPL-2.1-or-later
"""The requests of clients that Debian does not package, one by one; clients.py runs them.

The names are those of the clients' programs. A flow that needs what the service does not have says what
it is, as the client would.
"""
import contextlib
import json
import os
import ssl
import subprocess
import tempfile
import time
import traceback
import urllib.error
import urllib.request

USER = "admin"
TIMEOUT = 180
ROOT = "/redfish/v1/"
SESSIONS = "/redfish/v1/SessionService/Sessions"
SYSTEM = "/redfish/v1/Systems/Host"
ACCEPTED = (200, 201, 202, 204)


class Failed(Exception):
    """A command of a client ended with an error, which is its text."""


# Requirements of a program of Tacklebox: a resource and the properties on the way. Each is
# absent here, and docs/clients.md says why.
WANTED = {
    "rf_assembly": ("/redfish/v1/Chassis/Host", "Assembly"),
    "rf_bios_settings": (SYSTEM, "Bios"),
    "rf_component_integrity": (ROOT, "ComponentIntegrity"),
    "rf_licenses": (ROOT, "LicenseService"),
    "rf_power_equipment": (ROOT, "PowerEquipment"),
    "rf_power_reset": (SYSTEM, "Actions", "#ComputerSystem.Reset"),
    "rf_thermal_equipment": (ROOT, "ThermalEquipment"),
    "rf_virtual_media": ("/redfish/v1/Managers/Service", "VirtualMedia"),
}


class Flows:
    """One connection per request, as the clients' libraries may have it; `token` is the session."""

    def __init__(self, url, certificate, password):
        self.url, self.password = url, password
        self.token = None
        self.context = ssl.create_default_context(cafile=certificate)

    def send(self, method, path, body=None, headers=None, expected=ACCEPTED):
        data = None if body is None else json.dumps(body).encode()
        sent = {"Accept": "*/*", "OData-Version": "4.0", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["X-Auth-Token"] = self.token
        url = path if path.startswith("https:") else self.url + path
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, sent, method=method),
                                        context=self.context, timeout=TIMEOUT) as answer:
                status, got, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, got, text = error.code, error.headers, error.read()
        if status not in expected:
            raise Failed(f"{method} {path}: {status} instead of {expected}: {text[:300]!r}")
        got.status = status
        if got.get_content_type() != "application/json":
            return got, text or None
        return got, json.loads(text) if text else None

    def get(self, path):
        return self.send("GET", path, expected=(200,))[1]

    def members(self, path):
        """All pages of a collection."""
        while path:
            page = self.get(path)
            yield from page["Members"]
            path = page.get("Members@odata.nextLink")

    def read_members(self, path):
        for member in self.members(path):
            yield self.get(member["@odata.id"])

    def finish(self, got):
        """Waits for the task that an answer may have started, as clients do: by its monitor."""
        monitor = got["Location"]
        while got.status == 202:
            time.sleep(min(int(got["Retry-After"] or 1), 1))
            got = self.send("GET", monitor)[0]
        return got

    @contextlib.contextmanager
    def session(self, path=SESSIONS, user=USER, password=None):
        got, session = self.send("POST", path, {"UserName": user, "Password": password or self.password},
                                 expected=(201,))
        self.token = got["X-Auth-Token"]
        if not self.token or session["UserName"] != user:
            raise Failed("the session has no token, or another user")
        # Libraries remove the address of the service from Location.
        location = got["Location"].replace(self.url, "")
        try:
            yield location
        finally:
            self.send("DELETE", location)
            self.token = None

    # DMTF's Python library and the programs of Tacklebox

    def library(self):
        """The root without login, the link to Sessions, Location, DELETE; Basic is tried on Sessions."""
        root = self.get(ROOT)
        sessions = root["Links"]["Sessions"]["@odata.id"]
        with self.session(sessions):
            for name in ("Systems", "Chassis", "Managers", "Fabrics", "Registries", "JsonSchemas"):
                for _ in self.read_members(root[name]["@odata.id"]):
                    pass
        self.send("GET", root["Systems"]["@odata.id"], expected=(401,))
        login = urllib.request.HTTPPasswordMgrWithPriorAuth()
        login.add_password(None, self.url, USER, self.password, is_authenticated=True)
        handler = urllib.request.HTTPBasicAuthHandler(login)
        request = handler.http_request(urllib.request.Request(self.url + sessions))
        self.send("GET", sessions, headers=dict(request.unredirected_hdrs), expected=(200,))

    def account(self, name):
        service = self.get(self.get(ROOT)["AccountService"]["@odata.id"])
        for member in self.members(service["Accounts"]["@odata.id"]):
            got, account = self.send("GET", member["@odata.id"])
            if account["UserName"] == name:
                return account["@odata.id"], got["ETag"]
        raise Failed(f"no account {name}")

    def rf_accounts(self):
        """Every option of the program; changes are sent with the account's ETag."""
        changes = (("flow", {"UserName": "flow2"}), ("flow2", {"Password": "Flow-67890"}),
                   ("flow2", {"RoleId": "ReadOnly"}), ("flow2", {"Enabled": False}),
                   ("flow2", {"Enabled": True}), ("flow2", {"Locked": False}))
        with self.session():
            accounts = self.get(self.get(ROOT)["AccountService"]["@odata.id"])["Accounts"]["@odata.id"]
            self.send("POST", accounts, {"UserName": "flow", "Password": "Flow-12345", "RoleId": "Operator"},
                      expected=(201,))
            for name, change in changes:
                uri, etag = self.account(name)
                self.send("PATCH", uri, change, {"If-Match": etag})
        with self.session(user="flow2", password="Flow-67890"):
            self.get(SYSTEM)
        with self.session():
            for account in self.read_members(accounts):
                if not isinstance(account["Locked"], bool) or not isinstance(account["Enabled"], bool):
                    raise Failed(f"{account['UserName']}: Locked or Enabled is missing")
            self.send("DELETE", self.account("flow2")[0])

    def rf_logs(self):
        """The log services of managers, systems and chassis: entries over all pages, details, ClearLog."""
        with self.session():
            root = self.get(ROOT)
            for name in ("Managers", "Systems"):
                for owner in self.read_members(root[name]["@odata.id"]):
                    for service in self.read_members("/" + owner["LogServices"]["@odata.id"]):
                        for entry in self.members(service["Entries"]["@odata.id"]):
                            # "Created" may be absent, as of a captured host: the client shows it as "Unknown".
                            missing = {"Id", "Message", "Severity"} - set(entry)
                            if missing:
                                raise Failed(f"{entry['@odata.id']}: no {missing}")
                        target = service["Actions"]["#LogService.ClearLog"]["target"]
                        self.finish(self.send("POST", target, {})[0])

    def rf_diagnostic_data(self):
        """Its default, of the manager, and an OEM type of the system; the log service is given by --log."""
        oem = {"DiagnosticDataType": "OEM", "OEMDiagnosticDataType": "CXLHostCaptureMasked"}
        with self.session():
            for name, body in (("Managers", {"DiagnosticDataType": "Manager"}), ("Systems", oem)):
                owner, = self.read_members("/redfish/v1/" + name)
                log, = (one for one in self.read_members(owner["LogServices"]["@odata.id"])
                        if one["Id"] == "Captures")
                target = log["Actions"]["#LogService.CollectDiagnosticData"]["target"]
                got = self.finish(self.send("POST", target, body, expected=(202,))[0])
                uri = self.get(got["Location"])["AdditionalDataURI"]
                if not uri.endswith(".tar.zst"):
                    raise Failed(f"the file would have the name {uri.split('/')[-1]}")
                if not self.send("GET", uri, expected=(200,))[1].startswith(b"\x28\xb5\x2f\xfd"):
                    raise Failed(f"{uri} is not compressed by zstd")
                # A client has all of it a moment before the service knows.
                while self.send("GET", uri, expected=(410, 503))[0].status == 503:
                    time.sleep(0.1)

    def rf_sel(self):
        with self.session():
            for name in ("Managers", "Systems"):
                for owner in self.read_members("/redfish/v1/" + name):
                    for service in self.read_members(owner["LogServices"]["@odata.id"]):
                        if service.get("LogEntryType") == "SEL" or service["Id"].upper() == "SEL":
                            return
        raise Failed("No SEL found")

    def catalog(self, resource, chassis, found):
        """The parts of a chassis or system; a part names its own chassis."""
        kind = resource["@odata.type"].rsplit(".")[-1]
        if kind in ("Chassis", "ComputerSystem"):
            for name in ("Processors", "Memory", "PCIeDevices", "Drives", "NetworkAdapters"):
                if isinstance(resource.get(name), dict):
                    for part in self.read_members(resource[name]["@odata.id"]):
                        self.catalog(part, chassis, found)
            for name in ("Drives", "PCIeDevices", "Switches", "ComputerSystems"):
                for link in resource.get("Links", {}).get(name, ()):
                    self.catalog(self.get(link["@odata.id"]), chassis, found)
        link = resource.get("Links", {}).get("Chassis")
        if isinstance(link, dict):
            chassis = link["@odata.id"].strip("/").split("/")[-1]
        if kind != "ComputerSystem":
            found.setdefault(kind, set()).add((chassis, resource["Id"]))

    def rf_sys_inventory(self):
        """Each memory device is found in its own chassis, once, and the chassis by their built paths."""
        found = {}
        with self.session():
            chassis = [m["@odata.id"].split("/")[-1] for m in self.members("/redfish/v1/Chassis")]
            for one in chassis:
                self.catalog(self.get("/redfish/v1/Chassis/" + one), one, found)
            memory = list(self.members(SYSTEM + "/Memory"))
        if len(found.get("Memory", ())) != len(memory) or {c for c, _ in found.get("Memory", ())} - set(chassis):
            raise Failed(f"{len(memory)} memory devices, but in the inventory: {found.get('Memory')}")

    def rf_firmware_inventory(self):
        """Each software or firmware that the update service lists, with what the client prints of it."""
        with self.session():
            service = self.get("/redfish/v1/UpdateService")
            for one in self.read_members(service["FirmwareInventory"]["@odata.id"]):
                if not one["Name"] or one["Updateable"]:
                    raise Failed(f"{one['@odata.id']}: {one}")

    def rf_update(self):
        """The client sends an image to MultipartHttpPushUri, if there is one; here it is refused."""
        with self.session():
            uri = self.get("/redfish/v1/UpdateService")["MultipartHttpPushUri"]
            self.send("POST", uri, {}, {"If-Match": "*"})

    def rf_sensor_list(self):
        """Sensors are looked for in a chassis that has its power and thermal resources in the newer way."""
        names = {"EnvironmentMetrics", "PowerSubsystem", "ThermalSubsystem"}
        with self.session():
            for chassis in self.read_members("/redfish/v1/Chassis"):
                if "Sensors" in chassis and not names & set(chassis):
                    raise Failed(f"{chassis['@odata.id']}: its sensors are not looked at")
                for name in names & set(chassis):
                    self.get(chassis[name]["@odata.id"])
                for sensor in self.read_members(chassis["Sensors"]["@odata.id"]) if "Sensors" in chassis else ():
                    if not sensor["Name"] or "State" not in sensor["Status"]:
                        raise Failed(f"{sensor['@odata.id']}: no Name or State")

    def rf_manager_config(self):
        """The manager by its built path; its network interfaces."""
        with self.session():
            one, = self.members("/redfish/v1/Managers")
            manager = self.get("/redfish/v1/Managers/" + one["@odata.id"].split("/")[-1])
            for name in ("ManagerType", "FirmwareVersion", "UUID", "ServiceEntryPointUUID"):
                if not isinstance(manager[name], str):
                    raise Failed(f"no {name}")
        if "EthernetInterfaces" not in manager:
            raise Failed("no Ethernet interface collection")

    def rf_boot_override(self):
        with self.session():
            boot = self.get(SYSTEM)["Boot"]
            if boot["BootSourceOverrideTarget"] not in boot["BootSourceOverrideTarget@Redfish.AllowableValues"]:
                raise Failed("the boot target is not among the allowable ones")

    def rf_event_service(self):
        """The possible subscriptions, a subscription with each kind of filter, the list, the end."""
        with self.session():
            service = self.get(self.get(ROOT)["EventService"]["@odata.id"])
            for name in ("EventFormatTypes", "RegistryPrefixes", "ResourceTypes"):
                ", ".join(service[name])
            for name in ("DeliveryRetryAttempts", "DeliveryRetryIntervalSeconds", "ServerSentEventUri"):
                if name not in service:
                    raise Failed(f"the event service has no {name}")
            body = {"Destination": "https://127.0.0.1:9/", "Protocol": "Redfish", "Context": "flow",
                    "EventFormatType": "Event", "IncludeOriginOfCondition": True,
                    "ResourceTypes": ["Memory"], "RegistryPrefixes": service["RegistryPrefixes"][:1],
                    "OriginResources": [{"@odata.id": SYSTEM + "/Memory"}], "SubordinateResources": True}
            subscriptions = service["Subscriptions"]["@odata.id"]
            for extra in ({}, {"EventTypes": ["Alert"]}):
                chosen = {key: body[key] for key in ("Destination", "Protocol", "Context")} if extra else body
                self.send("POST", subscriptions, {**chosen, **extra}, expected=(201,))
            for one in self.read_members(subscriptions):
                if one["Context"] != "flow" or one["Destination"] != body["Destination"]:
                    raise Failed(f"a subscription is not as it was asked for: {one}")
                self.send("DELETE", one["@odata.id"])

    def rf_raw_request(self):
        """GET, HEAD, POST, PATCH, DELETE of any path; PUT is the one method that nothing has."""
        with self.session():
            self.send("HEAD", SYSTEM)
            self.send("PATCH", "/redfish/v1/SessionService", {"SessionTimeout": 1800})
            self.send("PUT", "/redfish/v1/SessionService", {"SessionTimeout": 1800}, expected=(405,))

    def rf_certificates(self):
        """The list, a request, and a certificate with its key in one string, which replaces the first."""
        with self.session():
            service = self.get(self.get(ROOT)["CertificateService"]["@odata.id"])
            links = self.get(service["CertificateLocations"]["@odata.id"])["Links"]["Certificates"]
            for link in links:
                one = self.get(link["@odata.id"])
                if not one["Subject"]["CommonName"] or not one["ValidNotAfter"]:
                    raise Failed(f"{one['@odata.id']}: no subject or end")
            first = links[0]["@odata.id"]
            csr = service["Actions"]["#CertificateService.GenerateCSR"]
            parameters = {p["Name"]: p for p in self.get(csr["@Redfish.ActionInfo"])["Parameters"]}
            body = {"CertificateCollection": {"@odata.id": first.rsplit("/", 1)[0]}, "CommonName": "flow.example",
                    "Organization": "o", "OrganizationalUnit": "u", "City": "c", "State": "s", "Country": "DE",
                    "KeyPairAlgorithm": "TPM_ALG_ECDSA", "KeyCurveId": "TPM_ECC_NIST_P256"}
            if set(body) - set(parameters):
                raise Failed(f"GenerateCSR has no {set(body) - set(parameters)}")
            if "CERTIFICATE REQUEST" not in self.send("POST", csr["target"], body)[1]["CSRString"]:
                raise Failed("no certificate request")
            self.replace_certificate(service, first)

    def replace_certificate(self, service, uri):
        with tempfile.TemporaryDirectory() as made:
            key, certificate = os.path.join(made, "key"), os.path.join(made, "certificate")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                            "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=127.0.0.1",
                            "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            with open(key, encoding="ascii") as one, open(certificate, encoding="ascii") as other:
                text = one.read() + other.read()
            target = service["Actions"]["#CertificateService.ReplaceCertificate"]["target"]
            self.finish(self.send("POST", target, {"CertificateUri": {"@odata.id": uri}, "CertificateType": "PEM",
                                                   "CertificateString": text})[0])
            self.context = ssl.create_default_context(cafile=certificate)
            self.get(ROOT)

    # Exporters for Prometheus: one session over HTTPS, then what they turn into metrics

    def idrac_exporter(self):
        """Finds the first chassis and system by the root without its slash; Memory, processors, manager."""
        with self.session() as session:
            root = self.get("/redfish/v1")
            system = self.get(self.get(root["Systems"]["@odata.id"])["Members"][0]["@odata.id"])
            chassis = self.get(self.get(root["Chassis"]["@odata.id"])["Members"][0]["@odata.id"])
            if {"Thermal", "ThermalSubsystem", "Power", "PowerSubsystem"} & set(chassis):
                raise Failed("the exporter would read more of the chassis")
            self.get(self.get(root["Managers"]["@odata.id"])["Members"][0]["@odata.id"])
            summary = system.get("MemorySummary") # of a host whose memory is known
            if system.get("PowerState", "On") != "On" or (summary and "TotalSystemMemoryGiB" not in summary):
                raise Failed("the system is off, or has no sum of its memory")
            for name in {"Processors", "Memory"} & set(system):
                for part in self.read_members(system[name]["@odata.id"]):
                    if "State" not in part["Status"] or not isinstance(part.get("CapacityMiB", 0), int):
                        raise Failed(f"{part['@odata.id']}: no state, or a fraction of a MiB")
            self.send("GET", session)  # keeps the session alive before the next scrape

    def redfish_exporter(self):
        """By the gofish library: every chassis, manager and system with their parts and logs."""
        with self.session(self.get(ROOT)["Links"]["Sessions"]["@odata.id"]):
            root = self.get(ROOT)
            for system in self.read_members(root["Systems"]["@odata.id"]):
                for name in {"Processors", "Memory"} & set(system):
                    for part in self.read_members(system[name]["@odata.id"]):
                        if part.get("Status", {}).get("Health", "OK") not in ("OK", "Warning", "Critical"):
                            raise Failed(f"{part['@odata.id']}: its health is {part['Status']}")
                for link in system.get("PCIeDevices", ()):
                    for _ in self.read_members(self.get(link["@odata.id"])["PCIeFunctions"]["@odata.id"]):
                        pass
                for service in self.read_members(system["LogServices"]["@odata.id"]):
                    for _ in self.members(service["Entries"]["@odata.id"]):
                        pass
            for name in ("Chassis", "Managers"):
                for one in self.read_members(root[name]["@odata.id"]):
                    if one["Status"]["State"] != "Enabled":
                        raise Failed(f"{one['@odata.id']}: {one['Status']}")

    # Other services

    def bmcweb(self):
        """bmcweb's aggregator: the collections of a satellite, with $expand as its own clients ask."""
        with self.session():
            for name in ("Systems", "Chassis", "Managers", "Fabrics"):
                self.get(f"/redfish/v1/{name}")
                self.get(f"/redfish/v1/{name}?$expand=.($levels=1)")

    def run(self, command):
        try:
            if command in WANTED:
                with self.session():
                    place = self.get(WANTED[command][0])
                    for name in WANTED[command][1:]:
                        if name not in place:
                            raise Failed(f"no {name}")
                        place = place[name]
            else:
                getattr(self, command)()
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OSError) as error:
            raise Failed(traceback.format_exc()) from error
