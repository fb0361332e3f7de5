#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The certificate of a running service and the authorities of its clients, changed while it serves.

    certificates.py SOCKET PORT DIRECTORY

SOCKET and PORT (https) are of a service with a state directory and the account admin, password
"secret"; DIRECTORY is for files. Prints what is not as it should be.
"""
import hashlib
import http.client
import ssl
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from redfish_client import Checks, Service, basic  # noqa: E402

COLLECTION = "/redfish/v1/Managers/Service/NetworkProtocol/HTTPS/Certificates"
CERTIFICATE = COLLECTION + "/1"
SERVICE = "/redfish/v1/CertificateService"
REPLACE = SERVICE + "/Actions/CertificateService.ReplaceCertificate"
REQUEST = SERVICE + "/Actions/CertificateService.GenerateCSR"
AUTHORITIES = "/redfish/v1/AccountService/MultiFactorAuth/ClientCertificate/Certificates"
ADMIN = basic("admin", "secret")


class Files:
    """Keys and certificates, made by openssl."""

    def __init__(self, directory):
        self.directory = directory

    def path(self, name):
        return str(self.directory / name)

    def text(self, name):
        return Path(self.path(name)).read_text()

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def self_signed(self, name, subject, days="30"):
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-nodes", "-keyout", self.path(name + ".key"), "-out",
                     self.path(name + ".pem"), "-subj", subject, "-days", days)

    def issue(self, name, subject, authority):
        """A key, and a certificate for it by an authority."""
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-keyout", self.path(name + ".key"), "-out", self.path(name + ".csr"),
                     "-subj", subject, "-addext", "subjectAltName=DNS:own.example")
        self.sign(name, authority)

    def sign(self, name, authority):
        self.openssl("x509", "-req", "-in", self.path(name + ".csr"), "-CA",
                     self.path(authority + ".pem"), "-CAkey", self.path(authority + ".key"),
                     "-CAcreateserial", "-days", "10", "-copy_extensions", "copy", "-out",
                     self.path(name + ".pem"))


def context(files=None, name=None):
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname = False
    c.verify_mode = ssl.CERT_NONE
    if name:
        c.load_cert_chain(files.path(name + ".pem"), files.path(name + ".key"))
    return c


def fingerprint(der):
    digits = hashlib.sha256(der).hexdigest().upper()
    return ":".join(digits[i:i + 2] for i in range(0, len(digits), 2))


class Test(Checks):
    def __init__(self, socket, port, files):
        super().__init__()
        self.service = Service(socket, ADMIN)
        self.port, self.files = port, files

    def connect(self, name=None):
        c = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=180,
                                        context=context(self.files, name))
        c.connect()
        return c

    def presented(self):
        """The fingerprint of what a new connection is shown."""
        c = self.connect()
        found = fingerprint(c.sock.getpeercert(binary_form=True))
        c.close()
        return found

    def replace(self, text, wanted=204, message=None, **other):
        body = {"CertificateString": text, "CertificateType": "PEM",
                "CertificateUri": {"@odata.id": CERTIFICATE}}
        body.update(other)
        return self.expect(self.service, wanted, "POST", REPLACE, body, message)

    def shown_is_presented(self):
        _, body = self.expect(self.service, 200, "GET", CERTIFICATE)
        self.check(body["Fingerprint"] == self.presented(), "another certificate is presented")
        self.check("PRIVATE KEY" not in str(body), "a private key is shown")
        return body["Fingerprint"]

    def run_request(self):
        """A request is signed by an authority, and the certificate is used at once."""
        kept = self.connect()
        before = self.shown_is_presented()
        _, answer = self.expect(self.service, 200, "POST", REQUEST, {
            "CommonName": "cxl.example", "AlternativeNames": ["cxl.example", "127.0.0.1"],
            "Organization": "Example", "Country": "DE", "KeyPairAlgorithm": "TPM_ALG_ECDSA",
            "KeyUsage": ["DigitalSignature", "ServerAuthentication"],
            "CertificateCollection": {"@odata.id": COLLECTION}})
        self.check(answer["CertificateCollection"] == {"@odata.id": COLLECTION}, "CSR's collection")
        self.check("PRIVATE KEY" not in answer["CSRString"], "the key of a request is shown")
        Path(self.files.path("server.csr")).write_text(answer["CSRString"])
        self.files.sign("server", "ca")
        headers, _ = self.replace(self.files.text("server.pem"))
        self.check(headers["Location"] == CERTIFICATE, "Location is %s" % headers["Location"])
        after = self.shown_is_presented()
        self.check(before != after, "the certificate was not replaced")
        _, body = self.expect(self.service, 200, "GET", CERTIFICATE)
        self.check(body["Subject"]["CommonName"] == "cxl.example", "Subject")
        self.check(body["Issuer"]["CommonName"] == "Authority", "Issuer")
        self.check("127.0.0.1" in body["Subject"]["AlternativeNames"], "AlternativeNames")
        # A connection of before goes on with what it began with.
        socket = kept.sock
        self.expect(Service(kept, ADMIN), 200, "GET", "/redfish/v1/Systems")
        self.check(kept.sock is socket, "a connection ended when the certificate was replaced")
        kept.close()

    def run_chain_with_key(self):
        self.files.issue("own", "/CN=own.example", "ca")
        chain = self.files.text("own.pem") + self.files.text("ca.pem")
        self.replace(chain + self.files.text("own.key"), CertificateType="PEMchain")
        self.shown_is_presented()
        _, body = self.expect(self.service, 200, "GET", CERTIFICATE)
        self.check(body["CertificateType"] == "PEMchain", "type of a chain")

    def run_rejected(self):
        before = self.presented()
        self.files.issue("other", "/CN=other.example", "ca")
        other, key = self.files.text("other.pem"), self.files.text("other.key")
        for text in ("", "x", key, other, other + self.files.text("ca.key"), other * 40):
            _, body = self.replace(text, 400, "CertificateRejected")
            self.check("PRIVATE" not in str(body), "a key is repeated")
        wrong = "ActionParameterValueNotInList"
        self.replace(other, 400, wrong, CertificateType="PKCS7")
        self.replace(other, 400, wrong, CertificateUri={"@odata.id": COLLECTION + "/2"})
        self.replace(other, 400, "ActionParameterValueTypeError", CertificateUri=CERTIFICATE)
        self.replace(other, 400, "ActionParameterNotSupported", Password="x")
        self.replace(other, 400, "ActionParameterUnknown", Nonsense="x")
        _, body = self.expect(self.service, 400, "POST", REPLACE, {})
        self.check(str(body).count("ActionParameterMissing'") == 3, "missing parameters: %s" % body)
        self.check(self.presented() == before, "a rejected certificate is used")

    def run_rejected_requests(self):
        good = {"CommonName": "x", "CertificateCollection": {"@odata.id": COLLECTION}}
        for change, message in (
                ({"CommonName": 5}, "ActionParameterValueTypeError"),
                ({"CommonName": "x" * 300}, "CertificateRejected"),
                ({"Country": "Germany"}, "CertificateRejected"),
                ({"KeyBitLength": 512, "KeyPairAlgorithm": "TPM_ALG_RSA"}, "CertificateRejected"),
                ({"KeyBitLength": -1}, "ActionParameterValueError"),
                ({"KeyCurveId": "TPM_ECC_SM2_P256"}, "ActionParameterValueNotInList"),
                ({"KeyCurveId": "TPM_ECC_NIST_P256", "KeyPairAlgorithm": "TPM_ALG_RSA"},
                 "ActionParameterValueConflict"),
                ({"KeyUsage": ["Nonsense"]}, "ActionParameterValueNotInList"),
                ({"KeyUsage": [1]}, "ActionParameterValueTypeError"),
                ({"AlternativeNames": ["x"] * 40}, "ArraySizeTooLong"),
                ({"ChallengePassword": "x"}, "ActionParameterNotSupported"),
                ({"CertificateCollection": {"@odata.id": AUTHORITIES}},
                 "ActionParameterValueNotInList")):
            self.expect(self.service, 400, "POST", REQUEST, dict(good, **change), message)
        _, body = self.expect(self.service, 400, "POST", REQUEST, {})
        self.check(str(body).count("ActionParameterMissing'") == 2, "missing parameters: %s" % body)

    def add(self, text, wanted=201, message=None, kind="PEM"):
        return self.expect(self.service, wanted, "POST", AUTHORITIES,
                           {"CertificateString": text, "CertificateType": kind}, message)

    def run_authorities(self):
        """A client's certificate is a login as long as its authority is accepted."""
        self.files.issue("client", "/CN=admin", "ca")
        self.files.issue("unknown", "/CN=unknown", "ca")
        system = "/redfish/v1/Systems"
        self.expect(Service(self.connect("client")), 401, "GET", system)
        headers, body = self.add(self.files.text("ca.pem"))
        uri = headers["Location"]
        self.check(uri == body["@odata.id"] and uri.startswith(AUTHORITIES + "/"), "Location")
        self.check(body["Subject"]["CommonName"] == "Authority", "Subject of an authority")
        self.expect(Service(self.connect("client")), 200, "GET", system)
        self.expect(Service(self.connect("unknown")), 401, "GET", system)
        self.expect(Service(self.connect()), 401, "GET", system)
        _, body = self.expect(self.service, 200, "GET", SERVICE + "/CertificateLocations")
        self.check({"@odata.id": uri} in body["Links"]["Certificates"], "it is not in the locations")
        self.add(self.files.text("ca.pem"), 409, "ResourceAlreadyExists")
        for text in ("", "x", self.files.text("client.pem"), self.files.text("ca.pem") * 2):
            self.add(text, 400, "CertificateRejected")
        self.add(self.files.text("ca.pem"), 400, "PropertyValueNotInList", "PKCS7")
        _, body = self.expect(self.service, 400, "POST", AUTHORITIES, {})
        self.check(str(body).count("CreateFailedMissingReqProperties'") == 2, "missing: %s" % body)
        self.expect(self.service, 404, "DELETE", AUTHORITIES + "/0")
        self.expect(self.service, 204, "DELETE", uri)
        self.expect(self.service, 404, "GET", uri)
        self.expect(Service(self.connect("client")), 401, "GET", system)

    def run_many_authorities(self):
        uris = []
        for i in range(16):
            self.files.self_signed("many%d" % i, "/CN=Many %d" % i)
            uris.append(self.add(self.files.text("many%d.pem" % i))[0]["Location"])
        self.files.self_signed("many", "/CN=One more")
        self.add(self.files.text("many.pem"), 403, "CreateLimitReachedForResource")
        _, body = self.expect(self.service, 200, "GET", AUTHORITIES)
        self.check(body["Members@odata.count"] == 16, "count of authorities")
        for uri in uris:
            self.expect(self.service, 204, "DELETE", uri)

    def run(self):
        self.files.self_signed("ca", "/CN=Authority")
        self.run_request()
        self.run_chain_with_key()
        self.run_rejected()
        self.run_rejected_requests()
        self.run_authorities()
        self.run_many_authorities()
        _, body = self.expect(self.service, 200, "GET", "/redfish/v1/Managers/Service/NetworkProtocol")
        self.check(body["HTTPS"]["ProtocolEnabled"] and body["HTTPS"]["Port"] == self.port, "HTTPS")
        self.check(not body["HTTP"]["ProtocolEnabled"] and body["HTTP"]["Port"] is None, "HTTP")
        print(self.presented())
        return self.done()


if __name__ == "__main__":
    sys.exit(Test(sys.argv[1], int(sys.argv[2]), Files(Path(sys.argv[3]))).run())
