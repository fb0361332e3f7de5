#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Front ends agree on one host: agreement.py CXL_SPA DUMP_REDFISH HOST...

list, map, translate in both directions, Redfish, plans and the next steps of explain. Prints each
contradiction; status 0 when there is none.
"""
import json
import re
import subprocess
import sys

SPA, DUMP = sys.argv[1:3]
MIB = 1 << 20
TAKEN = re.compile(r"System RAM|Reserved|PCI |dax|region")


def decode(text):
    return json.loads(text) if text.strip() else None


class Host:
    def __init__(self, path):
        self.path, self.faults = path, []

    def run(self, *arguments):
        done = subprocess.run([SPA, "--host", self.path, "--json", *arguments], capture_output=True, text=True,
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

    def walk(self, ports):
        for port in ports:
            memdev = (port.get("memdev") or {}).get("name")
            self.decoders += [dict(d, memdev=memdev) for d in port["decoders"]]
            self.walk(port["ports"])

    def iomem(self):
        """(first, last, name) of each line, when they are not all zeros."""
        if self.path.endswith(".zst"):
            text = subprocess.run(["tar", "--zstd", "-xOf", self.path, "./proc/iomem"], capture_output=True,
                                  text=True, check=False).stdout
        else:
            try:
                with open(self.path + "/proc/iomem", encoding="utf-8") as file:
                    text = file.read()
            except FileNotFoundError:
                text = ""
        found = re.findall(r"^ *([0-9a-f]+)-([0-9a-f]+) : (.*)$", text, re.MULTILINE)
        return [(int(a, 16), int(b, 16), name) for a, b, name in found if int(b, 16)]

    # ---- translation ---------------------------------------------------------------------------

    def there_and_back(self, answer):
        """An exact answer is the same the other way round."""
        if not answer["exact"] or answer["spa"] != answer["spa_last"]:
            return
        (back,) = self.ask("translate", answer["spa"])
        self.expect(back["exact"] and (back["memdev"], back["dpa"]) == (answer["memdev"], answer["dpa"])
                    and back["mapping"] == answer["mapping"],
                    "%s DPA %s is SPA %s, and that is %s DPA %s (%s)" % (
                        answer["memdev"], answer["dpa"], answer["spa"], back["memdev"], back["dpa"],
                        back["reason"]))

    def translate(self):
        for decoder in self.decoders:
            size = decoder.get("dpa_size")
            if not decoder["memdev"] or not size or not decoder.get("dpa"):
                continue
            first = int(decoder["dpa"], 16)
            for answer in self.ask("translate", decoder["memdev"], hex(first + min(0x1040, size - 1))):
                self.there_and_back(answer)
                name = decoder.get("mapped_by") or decoder.get("region")
                self.expect(answer["source"] != "decoder" or name,
                            "%s: by decoders, and no mapping has %s" % (answer["spa"], decoder["name"]))

    # ---- the map -------------------------------------------------------------------------------

    def check_map(self, mapping):
        name = mapping["name"]
        shown = self.ask("map", name)
        if not shown:
            return
        for key in ("size", "ways", "granularity"):
            self.expect(shown[key] == mapping[key], "%s: %s is %s in the map, and %s in the list" % (
                name, key, shown[key], mapping[key]))
        self.expect(shown["spa"] == mapping["start"] and shown["window"] == mapping["window"],
                    "%s: another start or window in the map" % name)
        self.expect(shown["by_decoders"] == (mapping["mapping"] == "decoders"), "%s: by_decoders" % name)
        self.expect([p["memdev"] for p in shown["positions"]] == [t["memdev"] for t in mapping["targets"]],
                    "%s: other positions in the map" % name)
        for chunk in [c for c in shown["chunks"] if c["exact"]][:2]:
            (answer,) = self.ask("translate", chunk["spa"])
            self.expect(answer["exact"] and (answer["memdev"], answer["dpa"]) == (chunk["memdev"], chunk["dpa"]),
                        "%s: the map has SPA %s at %s DPA %s, and translate says %s" % (
                            name, chunk["spa"], chunk["memdev"], chunk["dpa"], answer))
            self.there_and_back(answer)

    # ---- Redfish -------------------------------------------------------------------------------

    def chunks(self):
        """The MemoryChunks of the host, by the end of the URI: window/Id."""
        text = subprocess.run([DUMP, self.path], capture_output=True, text=True, check=True).stdout
        found = {}
        for part in re.split(r"^(?:GET|POST) ", text, flags=re.MULTILINE):
            uri, _, body = part.partition("\n")
            place = re.fullmatch(r"/redfish/v1/Systems/Host/MemoryDomains/([^/]+)/MemoryChunks/([^/]+)", uri)
            if place and body.strip():
                found[place.groups()] = json.loads(body)
        return found

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
                self.expect(chunk["AddressRangeOffsetMiB"] == int(mapping["start"], 16) // MIB,
                            "%s: start in Redfish" % place[1])

    # ---- plans ---------------------------------------------------------------------------------

    def taken(self):
        """(first, last, who) of all that no plan may take."""
        for one in self.mappings + [d for d in self.decoders if d.get("size")]:
            if one["start"] and one["size"] and int(one["start"], 16):
                first = int(one["start"], 16)
                yield first, first + one["size"] - 1, one["name"]
        yield from ((a, b, name) for a, b, name in self.iomem() if TAKEN.search(name) and "Soft" not in name)

    def check_plans(self):
        taken = list(self.taken())
        for window in self.windows:
            plan = self.ask("region", "plan", window["name"])
            if not plan or not plan["possible"]:
                self.expect(not plan or plan["reason"], "%s: refused without a reason" % window["name"])
                continue
            if not plan["spa"]:
                continue
            first, last = int(plan["spa"], 16), int(plan["spa_last"], 16)
            for a, b, who in taken:
                self.expect(last < a or b < first, "%s: a plan at %#x-%#x takes what %s has" % (
                    window["name"], first, last, who))

    def check_next(self):
        """Each command of explain that makes a region is one that the planner makes."""
        explained = self.ask("explain") or {"findings": []}
        for finding in explained["findings"]:
            for line in (finding["next"] or "").split("\n"):
                command = re.search(r"cxl create-region (.*)", line)
                if command:
                    self.check_command(command[1], finding)

    def check_command(self, text, finding):
        words, arguments, memdevs = text.split(), [], []
        options = {"-t": "--mode", "-w": "--ways", "-g": "--granularity", "-s": "--size"}
        window = None
        while words:
            word = words.pop(0)
            if word == "-d":
                window = words.pop(0)
            elif word in options:
                arguments += [options[word], words.pop(0)]
            elif word != "-m":
                memdevs.append(word)
        if not window:
            return
        done = self.run("region", "plan", *arguments, window, *memdevs)
        plan = decode(done.stdout)
        self.expect(plan and plan["possible"], "%s of %s advises %r, and the planner says: %s" % (
            finding["code"], finding["object"], text, (plan or {}).get("reason") or done.stderr.strip()))

    def check(self):
        self.read()
        self.translate()
        for mapping in self.mappings:
            self.check_map(mapping)
        self.check_redfish()
        self.check_plans()
        self.check_next()
        return self.faults


def main():
    failed = 0
    for path in sys.argv[3:]:
        for fault in Host(path).check():
            print("FAIL: %s: %s" % (path, fault))
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
