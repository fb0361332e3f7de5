#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Front ends agree on one host: agreement.py CXL_SPA DUMP_REDFISH SCRATCH HOST...

list, map, translate in both directions, explain, Redfish, plans and the next steps of explain; of
each host as it is, and of a copy in SCRATCH for which Linux made no regions. Prints each
contradiction; status 0 when there is none.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

SPA, DUMP, SCRATCH = sys.argv[1:4]
MIB = 1 << 20
LAST = (1 << 64) - 1
WINDOW = re.compile(r"CXL Window")
COUNTS = "no system address", "an interval", "exact"


def decode(text):
    return json.loads(text) if text.strip() else None


def number(text):
    return int(text, 16) if text else 0


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def unpack(path, name):
    """A copy that may be changed, of an archive or a directory."""
    copy = os.path.join(SCRATCH, name)
    if os.path.isdir(path):
        shutil.copytree(path, copy, symlinks=True)
    else:
        os.mkdir(copy)
        subprocess.run(["tar", "--zstd", "-xf", path, "-C", copy], check=True)
    subprocess.run(["chmod", "-R", "u+rwX", copy], check=True)
    return copy


def forget_regions(tree):
    """Linux has no regions: what was committed stays so. Return: whether there were any."""
    devices = tree + "/sys/bus/cxl/devices/"
    regions = [path for path in glob.glob(devices + "region*") if re.search(r"/region\d+$", path)]
    for decoder in glob.glob(devices + "decoder*/region"):
        write(decoder, "\n")
    for region in regions:
        shutil.rmtree(os.path.realpath(region))
        os.remove(region)
    for path in glob.glob(tree + "/sys/bus/dax/devices/*"):
        if not os.path.exists(path):
            os.remove(path)
    text = read_text(tree + "/proc/iomem")
    if text:
        write(tree + "/proc/iomem", re.sub(r"(?m)^.* : region\d+\n", "", text))
    return bool(regions)


def overlap(a, b):
    return a[0] <= b[1] and b[0] <= a[1]


class Host:
    def __init__(self, tree, name):
        self.tree, self.name, self.faults = tree, name, []

    def run(self, *arguments):
        done = subprocess.run([SPA, "--host", self.tree, "--json", *arguments], capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 1) or "Sanitizer" in done.stderr:
            self.fault("%s: status %d: %s" % (" ".join(arguments), done.returncode, done.stderr.strip()))
        return done

    def ask(self, *arguments):
        return decode(self.run(*arguments).stdout)

    def fault(self, text):
        self.faults.append(text)

    def expect(self, held, text):
        if not held:
            self.fault(text)
        return held

    # ---- what there is -------------------------------------------------------------------------

    def read(self):
        listed = self.ask("list") or {"buses": []}
        self.windows, self.decoders = [], []
        for bus in listed["buses"]:
            self.windows += bus["windows"]
            self.walk(bus["ports"])
        self.mappings = [dict(m, window=w["name"]) for w in self.windows for m in w["regions"]]
        self.explained = self.ask("explain") or {"findings": []}
        self.iomem = self.read_iomem()
        self.owners = self.read_owners()

    def walk(self, ports):
        for port in ports:
            memdev = (port.get("memdev") or {}).get("name")
            self.decoders += [dict(d, memdev=memdev) for d in port["decoders"]]
            self.walk(port["ports"])

    def read_iomem(self):
        """(first, last, name) of each line, when they are not all zeros."""
        found = re.findall(r"^ *([0-9a-f]+)-([0-9a-f]+) : (.*)$", read_text(self.tree + "/proc/iomem"), re.MULTILINE)
        return [(int(a, 16), int(b, 16), name) for a, b, name in found if int(b, 16)]

    def blocks(self):
        """(first, last, name) of each memory block that is online."""
        memory = self.tree + "/sys/devices/system/memory/"
        size = number(read_text(memory + "block_size_bytes").strip())
        for path in glob.glob(memory + "memory*/state"):
            if read_text(path).strip() == "online":
                first = number(read_text(os.path.dirname(path) + "/phys_index").strip()) * size
                yield first, first + size - 1, path.split("/")[-2]

    def read_owners(self):
        """(first, last, owner) of what explain START-END says of all windows."""
        ranges = [(number(w["start"]), number(w["start"]) + w["size"] - 1) for w in self.windows
                  if w["start"] and w["size"]]
        if not ranges:
            return []
        first, last = min(a for a, b in ranges), max(b for a, b in ranges)
        owners = self.ask("explain", "%#x-%#x" % (first, last))["owners"]
        found = [(number(o["first"]), number(o["last"]), o) for o in owners]
        self.expect(found[0][0] == first and found[-1][1] == last and
                    all(a[1] + 1 == b[0] for a, b in zip(found, found[1:])), "owners have gaps, or overlap")
        return found

    def free(self):
        return [o for o in self.owners if o[2]["what"].startswith("free")]

    # ---- translation ---------------------------------------------------------------------------

    def translate(self):
        """Some DPAs of each mapped decoder; what is exact is the same the other way round."""
        self.exact, self.answers = [], []
        for memdev in sorted({d["memdev"] for d in self.decoders if d["memdev"]}):
            places = []
            for decoder in self.decoders:
                if decoder["memdev"] == memdev and decoder.get("dpa_size") and decoder.get("dpa"):
                    first, size = number(decoder["dpa"]), decoder["dpa_size"]
                    places += [(decoder, hex(first + offset % size)) for offset in (0, 0x1040, size // 2 + 0x80, -1)]
            answers = self.ask("translate", memdev, *[dpa for _, dpa in places]) if places else []
            for (decoder, dpa), answer in zip(places, answers):
                self.expect(answer["dpa"] == dpa, "%s DPA %s is answered as %s" % (memdev, dpa, answer["dpa"]))
                self.check_answer(decoder, answer)
        exact = [a for a in self.exact if a["spa"] == a["spa_last"]]
        for answer, back in zip(exact, self.backwards([a["spa"] for a in exact])):
            self.expect(back["exact"] and (back["memdev"], back["dpa"]) == (answer["memdev"], answer["dpa"])
                        and back["mapping"] == answer["mapping"],
                        "%s DPA %s is SPA %s, and that is %s DPA %s (%s)" % (
                            answer["memdev"], answer["dpa"], answer["spa"], back["memdev"], back["dpa"],
                            back["reason"]))

    def backwards(self, addresses):
        found = []
        for i in range(0, len(addresses), 500):
            found += self.ask("translate", *addresses[i:i + 500])
        return found

    def check_answer(self, decoder, answer):
        self.answers.append((decoder["name"], answer))
        if not answer["exact"]:
            self.expect(answer["reason"], "%s: not exact, without a reason" % decoder["name"])
            return
        self.exact.append(answer)
        name = decoder.get("mapped_by") or decoder.get("region")
        self.expect(answer["source"] != "decoder" or name,
                    "%s: by decoders, and no mapping has %s" % (answer["spa"], decoder["name"]))
        for free in self.free():
            self.expect(not overlap(free, (number(answer["spa"]),) * 2), "%s of %s is free" % (
                answer["spa"], decoder["name"]))

    # ---- the map -------------------------------------------------------------------------------

    def check_map(self, mapping):
        name = mapping["name"]
        shown = self.ask("map", name)
        if not shown:
            return
        # Decoders can map the memory of a region that Linux did not complete.
        if shown["region"] != name:
            self.expect(shown["by_decoders"] and mapping["mapping"] != "decoders" and
                        shown["region"] in [m["name"] for m in self.mappings],
                        "%s: the map is that of %s" % (name, shown["region"]))
            return
        for key in ("size", "ways", "granularity"):
            self.expect(shown[key] == mapping[key], "%s: %s is %s in the map, and %s in the list" % (
                name, key, shown[key], mapping[key]))
        self.expect(shown["spa"] == mapping["start"] and shown["window"] == mapping["window"],
                    "%s: another start or window in the map" % name)
        self.expect(shown["by_decoders"] == (mapping["mapping"] == "decoders"), "%s: by_decoders" % name)
        self.expect([p["memdev"] for p in shown["positions"]] == [t["memdev"] for t in mapping["targets"]],
                    "%s: other positions in the map" % name)
        chunks = [c for c in shown["chunks"] if c["exact"]][:4]
        for chunk, answer in zip(chunks, self.backwards([c["spa"] for c in chunks])):
            self.expect(answer["exact"] and (answer["memdev"], answer["dpa"]) == (chunk["memdev"], chunk["dpa"]),
                        "%s: the map has SPA %s at %s DPA %s, and translate says %s" % (
                            name, chunk["spa"], chunk["memdev"], chunk["dpa"], answer))

    # ---- explain -------------------------------------------------------------------------------

    def check_explain(self):
        """The verdict about the host is that of its answers."""
        if not self.explained.get("mapping"):
            return
        verdict = self.explained["mapping"].split("; ")[0]
        kinds = {name: {2 if a["exact"] else 1 if a["spa"] else 0 for n, a in self.answers if n == name}
                 for name, _ in self.answers}
        for kind, words in enumerate(COUNTS):
            count = re.search(words + r"[a-z, ]*? for (\d+) decoder", verdict)
            count = int(count[1]) if count else len(kinds) if verdict.startswith(words) else 0
            able = [name for name, seen in kinds.items() if kind in seen]
            self.expect(count <= len(able), "explain says %r, and translate gives that to %s" % (verdict, able))
        self.expect(bool(kinds) != verdict.startswith("nothing"), "explain says %r of %d decoders" % (
            verdict, len(kinds)))

    def check_owners(self):
        """Addresses that a mapping has, or that are in /proc/iomem, are not free."""
        for free in self.free():
            for used in self.taken():
                self.expect(not overlap(free, used), "%#x-%#x is free, and %s has %#x-%#x" % (
                    free[0], free[1], used[2], used[0], used[1]))

    # ---- Redfish -------------------------------------------------------------------------------

    def chunks(self):
        """The MemoryChunks of the host, by the names of window and chunk."""
        text = subprocess.run([DUMP, self.tree], capture_output=True, text=True, check=True).stdout
        found, windows = {}, {}
        for part in re.split(r"^(?:GET|POST) ", text, flags=re.MULTILINE):
            uri, _, body = part.partition("\n")
            place = re.fullmatch(r"/redfish/v1/Systems/Host/MemoryDomains/([^/]+)(/MemoryChunks/[^/]+)?", uri)
            if not place or not body.strip():
                continue
            if place[2]:
                found[place[1], place[2]] = json.loads(body)
            else:
                windows[place[1]] = json.loads(body)["Name"]
        return {(windows[window], chunk["Name"]): chunk for (window, _), chunk in found.items()}

    def check_redfish(self):
        chunks = self.chunks()
        listed = {(m["window"], m["name"]): m for m in self.mappings}
        self.expect(set(chunks) == set(listed), "Redfish has the chunks %s, and list %s" % (
            sorted(chunks), sorted(listed)))
        for place in set(chunks) & set(listed):
            chunk, mapping = chunks[place], listed[place]
            if mapping["size"] and "MemoryChunkSizeMiB" in chunk:
                self.expect(chunk["MemoryChunkSizeMiB"] == mapping["size"] // MIB, "%s: size in Redfish" % place[1])
            if mapping["start"] and "AddressRangeOffsetMiB" in chunk:
                self.expect(chunk["AddressRangeOffsetMiB"] == number(mapping["start"]) // MIB,
                            "%s: start in Redfish" % place[1])

    # ---- plans ---------------------------------------------------------------------------------

    def encloses_window(self, line):
        return any(line[0] <= number(w["start"]) and number(w["start"]) + w["size"] - 1 <= line[1]
                   for w in self.windows if w["start"] and w["size"])

    def taken(self):
        """(first, last, who) of all that no plan may take."""
        for one in self.mappings + [d for d in self.decoders if d.get("size")]:
            if number(one["start"]) and one["size"]:
                yield number(one["start"]), number(one["start"]) + one["size"] - 1, one["name"]
        yield from self.blocks()
        for line in self.iomem:
            if not WINDOW.search(line[2]) and not ("Soft Reserved" in line[2] and self.encloses_window(line)):
                yield line

    def check_plans(self):
        for window in self.windows:
            for mode in "ram", "pmem":
                plan = self.ask("region", "plan", "--mode", mode, window["name"])
                if self.expect(plan and plan["possible"] or (plan or {}).get("reason"),
                               "%s: refused without a reason" % window["name"]) and plan["possible"]:
                    self.check_plan(window["name"], plan)

    def check_plan(self, name, plan):
        for command in plan["commands"]:
            self.check_command(command, "the plan of " + name)
        if not plan["spa"]:
            return
        planned = number(plan["spa"]), number(plan["spa_last"])
        for used in self.taken():
            self.expect(not overlap(planned, used), "%s: a plan at %#x-%#x takes what %s has" % (
                name, *planned, used[2]))
        for owner in self.owners:
            free = owner[2]["usable"] and owner in self.free() or owner[2]["usable"] is None and plan["notes"]
            self.expect(not overlap(planned, owner) or free, "%s: a plan at %#x-%#x takes what is %s" % (
                name, *planned, owner[2]["what"]))

    def check_next(self):
        """Each command of explain that makes a region is one that the planner makes."""
        for finding in self.explained["findings"]:
            for line in (finding["next"] or "").split("\n"):
                self.check_command(line, "%s of %s" % (finding["code"], finding["object"]))

    def check_command(self, line, who):
        command = re.search(r"(?:cxl create-region|cxl-spa region create) (.*)", line)
        if not command or "-d " not in line and "cxl create-region" in line:
            return
        words, arguments, names = command[1].split(), [], []
        options = {"-t": "--mode", "-w": "--ways", "-g": "--granularity", "-s": "--size"}
        while words:
            word = words.pop(0)
            if word == "-d":
                names.insert(0, words.pop(0))
            elif word in options or word.startswith("--"):
                arguments += [options.get(word, word), words.pop(0)]
            elif word != "-m":
                names.append(word)
        done = self.run("region", "plan", *arguments, *names)
        plan = decode(done.stdout)
        self.expect(plan and plan["possible"], "%s advises %r, and the planner says: %s" % (
            who, command[0], (plan or {}).get("reason") or done.stderr.strip()))

    def check(self):
        self.read()
        self.translate()
        for mapping in self.mappings:
            self.check_map(mapping)
        self.check_explain()
        self.check_owners()
        self.check_redfish()
        self.check_plans()
        self.check_next()

    def check_same(self, other):
        """An address that is exact here is the same in the other host, where decoders alone know it."""
        answers = {(a["memdev"], a["dpa"]): a for _, a in other.answers}
        for answer in self.exact:
            there = answers.get((answer["memdev"], answer["dpa"]))
            if there and there["exact"]:
                self.expect((there["spa"], there["spa_last"]) == (answer["spa"], answer["spa_last"]),
                            "%s DPA %s is SPA %s, and %s without regions" % (
                                answer["memdev"], answer["dpa"], answer["spa"], there["spa"]))
            else:
                self.expect(answer["source"] != "decoder" or answer["mapping"] != "region",
                            "%s DPA %s is exact by a region's decoders only: %s" % (
                                answer["memdev"], answer["dpa"], (there or {}).get("reason")))


def check(path, name):
    """Return: the contradictions of a host, and of the same one without regions."""
    hosts = [Host(unpack(path, name), path)]
    hosts[0].check()
    if forget_regions(hosts[0].tree):
        hosts.append(Host(hosts[0].tree, path + ", without regions"))
        hosts[1].check()
        hosts[0].check_same(hosts[1])
    shutil.rmtree(hosts[0].tree)
    return ["%s: %s" % (host.name, fault) for host in hosts for fault in host.faults]


def main():
    failed = 0
    for i, path in enumerate(sys.argv[4:]):
        for fault in check(path, "host%d" % i):
            print("FAIL: " + fault, flush=True)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
