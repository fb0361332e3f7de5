#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Starts cxl-redfish-helper as systemd does, and requests of it what it must not do.

	helper.py serve PROGRAM SOCKET USER [OPTION...]	run the helper at SOCKET until standard input ends
	helper.py switches SOCKET		print the names of the switch helper's, and if it may change them
	helper.py forbidden SOCKET USER		what a client that is this user may not have
	helper.py refused SOCKET USER		this user is refused
"""
import array
import os
import pwd
import socket
import struct
import sys

VERSION = 0x43584C03
OPEN, LIST, STAT, COMMANDS, COMMAND, WATCH, BLOCK_PAGES, DAX_HOLDERS, KERNEL_LOG, SWITCHES = range(1, 11)
HEAD = struct.Struct("=IHHIHH")
REPLY = struct.Struct("=iIQQII")
EACCES, ENOENT = 13, 2

problems = []


def fail(text):
    problems.append(text)
    print("FAIL:", text)


def request(kind, path=b"", row=0, device=0, opcode=0, version=VERSION):
    return HEAD.pack(version, kind, row, device, opcode, 0) + path + b"\0"


class Client:
    def __init__(self, path):
        self.path = path
        self.connect()

    def connect(self):
        self.s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.s.settimeout(180)
        self.s.connect(self.path)

    def ask(self, packet):
        """The result and the descriptor; None when the helper closes the connection."""
        try:
            self.s.send(packet)
            data, anc, _, _ = self.s.recvmsg(1 << 17, socket.CMSG_SPACE(4))
        except (BrokenPipeError, ConnectionResetError):
            data, anc = b"", []
        if not data:
            self.s.close()
            self.connect()
            return None, -1
        fds = array.array("i")
        for _, _, payload in anc:
            fds.frombytes(payload[:4])
        return REPLY.unpack(data[:REPLY.size])[0], fds[0] if fds else -1


FORBIDDEN_PATHS = [
    "/etc/shadow", "/etc/passwd", "/root", "/proc/kcore", "/proc/self/mem", "/proc/1/environ",
    "/dev/mem", "/dev/kmsg", "/dev/cxl/mem0", "/dev/null", "/sys/../etc/shadow", "/proc/../etc/shadow",
    "/sys/kernel/tracing/../../../etc/shadow", "/proc/iomem/", "//proc/iomem", "/proc/./iomem",
    "/sys/kernel/tracing/trace_pipe", "/sys/kernel/tracing/tracing_on",
    "/sys/kernel/tracing/instances/cxl-redfish/free_buffer",
    "/sys/kernel/debug/tracing/trace", "/sys/firmware/acpi/tables/SSDT1",
    "/sys/firmware/efi/efivars/x", "/sys/devices/virtual/dmi/id/board_serial",
    "/sys/devices/pci0000:00/0000:00:01.0/rom", "/sys/bus/cxl/devices/decoder0.0/start",
    "proc/iomem", "", "/", "/sys/devices/" + "a" * 480,
]


def become(user):
    pw = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(pw.pw_gid)
    os.setuid(pw.pw_uid)


def forbidden(path, user):
    become(user)
    c = Client(path)
    # It does answer: the table may be missing, the device is.
    if c.ask(request(OPEN, b"/sys/firmware/acpi/tables/CEDT"))[0] is None:
        fail("a path of the list ends the connection")
    result, fd = c.ask(request(OPEN, b"/proc/iomem"))
    if result != 0 or fd < 0:
        fail(f"/proc/iomem: {result}")
    else:
        try:
            os.write(fd, b"x")
            fail("a descriptor can be written to")
        except OSError:
            pass
    for kind in (OPEN, LIST, STAT, BLOCK_PAGES, DAX_HOLDERS, KERNEL_LOG):
        for p in FORBIDDEN_PATHS:
            if kind in (DAX_HOLDERS, KERNEL_LOG) and p == "":  # as it is requested
                continue
            result, fd = c.ask(request(kind, p.encode()))
            if result is not None or fd >= 0:
                fail(f"kind {kind}, {p!r}: {result}")
    for name, packet in {
        "another version": request(OPEN, b"/proc/iomem", version=VERSION + 1),
        "an unknown kind": request(13), "a kind of another helper": request(SWITCHES), "kind 0": request(0), "kind 65535": request(65535),
        "a NUL in a path": request(OPEN, b"/proc/iomem\0/x"),
        "no NUL": request(OPEN, b"/proc/iomem")[:-1],
        "a path that is too long": request(OPEN, b"/" + b"a" * 600),
        "64 KiB": b"\0" * 65536, "one byte": b"x", "a head alone": request(OPEN)[:16],
        "a device beyond the last": request(COMMANDS, device=65536),
        "a path with a command": request(COMMAND, b"/proc/iomem", opcode=0x4000),
        "a payload with a command": request(COMMAND, opcode=0x4000) + b"payload",
        "random bytes": bytes((i * 37) & 255 for i in range(300)),
    }.items():
        if c.ask(packet)[0] is not None:
            fail(f"{name}: not refused")
    # Commands that are in no row, and rows with another opcode: Sanitize, Set Partition, raw.
    for row, opcode in ((0, 0x4400), (0, 0x4101), (9, 0x4000), (65535, 0), (0, 0), (8, 0x0201)):
        result, _ = c.ask(request(COMMAND, row=row, opcode=opcode))
        if result != -EACCES:
            fail(f"row {row}, opcode {opcode:#x}: {result}")
    # A flood of connections and requests; then it still answers.
    held = []
    for _ in range(200):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.settimeout(180)
        try:
            s.connect(path)
        except BlockingIOError:  # too many wait to be accepted
            pass
        held.append(s)
    for s in held:
        try:
            s.send(b"x" * 20)
        except OSError:
            pass
        s.close()
    for _ in range(5000):
        result, fd = c.ask(request(STAT, b"/sys/firmware/acpi/tables/FACP"))
        if result not in (0, -ENOENT):
            fail(f"in a flood: {result}")
            break
    result, fd = Client(path).ask(request(OPEN, b"/proc/iomem"))
    if result != 0:
        fail(f"after the flood: {result}")


def refused(path, user):
    become(user)
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(180)
    try:
        s.connect(path)
        s.send(request(OPEN, b"/proc/iomem"))
        if s.recv(4096):
            fail("another user is served")
    except (BrokenPipeError, ConnectionResetError, PermissionError):
        pass


def serve(program, path, user, *options):
    if os.path.exists(path):
        os.unlink(path)
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # It has its name once anybody can connect.
    s.bind(path + ".new")
    # The test is about the users who may connect, not about the mode of the socket.
    os.chmod(path + ".new", 0o666)
    s.listen(128)
    os.rename(path + ".new", path)
    os.dup2(s.fileno(), 3)
    os.set_inheritable(3, True)  # also where it was 3 already
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
    os.execv(program, [program, "--user", user, *options])


def switches(path):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(180)
    s.connect(path)
    s.send(struct.pack("=IH42x", VERSION, SWITCHES))
    data = s.recv(1 << 17)
    result, _, may_change, _, length, _ = REPLY.unpack(data[:REPLY.size])
    data = data[REPLY.size:]
    if result != 0 or len(data) != length or length % 232:
        fail(f"switches: {result}, {length} bytes")
    for i in range(0, length, 232):
        name, reason = (data[a:b].split(b"\0")[0].decode() for a, b in ((i, i + 32), (i + 32, i + 224)))
        print(f"{name}: {reason}")
    print("changes" if may_change else "no changes")


def main():
    command, args = sys.argv[1], sys.argv[2:]
    {"serve": serve, "forbidden": forbidden, "refused": refused,
     "switches": switches}[command](*args)
    return 1 if problems else 0


sys.exit(main())
