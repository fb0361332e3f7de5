#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare the --help of a program with its manual page: options.py PROGRAM PAGE [CONF EXAMPLE]

Both must have the same options with the same arguments, each with a description; the same
subcommands; and the same exit statuses. Every number of an option's help is in its description.

CONF is the page of the configuration: each option is a key there, with the same argument, except
those that --help excludes. EXAMPLE has each key as a comment."""
import re
import subprocess
import sys

errors = []


def check(condition, message):
    if not condition:
        errors.append(message)


class Help:
    """Options ({name: (argument, description)}), exit statuses and subcommands of one --help."""

    def __init__(self, *command):
        text = subprocess.run([*command, "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout
        self.options, self.statuses, self.commands = {}, set(), []
        part, name = "", None
        for line in text.splitlines():
            if line and not line.startswith(" "):
                part, name = line, None
            option = re.match(r"  --(\S+)(?: ([A-Z]+))?(?:  +(.*))?$", line)
            if option:
                name, argument, description = option.groups()
                check(name not in self.options, f"{command}: --{name} is printed twice")
                self.options[name] = (argument, description or "")
            elif name and line.startswith("    "):
                argument, description = self.options[name]
                self.options[name] = (argument, f"{description} {line.strip()}")
            elif part.startswith("Exit status") and re.match(r"  \d ", line):
                self.statuses.add(int(line.split()[0]))
            elif part.startswith("Subcommands"):
                self.commands += re.findall(r"^  (\w+) ", line)


class Page:
    """Options by section ({section: {name: (argument, description)}}), options of each subcommand
    in the synopsis ({command or "": {name: argument}}), and exit statuses of a manual page."""

    def __init__(self, path):
        self.options, self.synopsis, self.statuses, self.parts = {}, {}, set(), []
        section = part = command = option = None
        with open(path, encoding="utf-8") as page:
            for line in page.read().splitlines():
                if line.startswith((".Sh ", ".Ss ")):
                    part = line[4:].strip('"')
                    section = part if line.startswith(".Sh") else section
                    self.parts.append(part)
                    option = None
                elif section == "SYNOPSIS":
                    command = self.read_synopsis(line, command)
                elif re.match(r"\.It Fl -\w", line):
                    name, argument = re.match(r"\.It Fl -(\S+)(?: Ar (\S+))?$", line).groups()
                    option = [argument, ""]
                    check(name not in self.all(), f"{path}: --{name} is described twice")
                    self.options.setdefault(part, {})[name] = option
                elif section == "EXIT STATUS" and re.match(r"\.It \d", line):
                    self.statuses.add(int(line.split()[1]))
                elif option:
                    option[1] += " " + line

    def read_synopsis(self, line, command):
        if line == ".Nm":
            self.blocks = getattr(self, "blocks", [])
            self.blocks.append({})
            return ""
        if line.startswith(".Cm "):
            command = line.split()[1]
        for name, argument in re.findall(r"(?:Fl|\|) -(\S+)(?: Ar (\S+))?", line):
            self.blocks[-1][name] = argument or None
        self.synopsis.setdefault(command, {}).update(self.blocks[-1])
        return command

    def all(self):
        return {name: option for part in self.options.values() for name, option in part.items()}


def check_option(program, name, argument, description, page):
    check(description.strip(), f"{program} --help: --{name} has no description")
    if name not in page.all():
        check(False, f"--{name} of {program} is not in the manual page")
        return
    page_argument, page_description = page.all()[name]
    check((argument or "").lower() == (page_argument or ""),
          f"--{name}: the argument is {argument} in {program} --help, {page_argument} in the manual page")
    check(re.search("[a-z]{4}", page_description), f"--{name} has no description in the manual page")
    for number in re.findall(r"\d+", description):
        check(number in re.findall(r"\d+", page_description),
              f"--{name}: {number} of {program} --help is not in the manual page")


# These print something and end the program.
FOR_ALL = ("completion", "help", "version")


def check_synopsis(what, synopsis, options):
    """The synopsis leaves out what every command has."""
    wanted = {name: (argument or "").lower() for name, (argument, _) in options.items()
              if name not in FOR_ALL}
    have = {name: argument or "" for name, argument in synopsis.items()}
    check(have == wanted, f"{what}: the synopsis has {sorted(have.items())}, --help {sorted(wanted.items())}")


def check_keys(program, options, conf, example):
    text = subprocess.run([program, "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout
    excluded = re.search(r"Each option but (.*?)\s+is\s+also\s+a\s+key", text, re.S)
    check(excluded, f"{program} --help does not say which options are keys")
    not_keys = set(re.findall(r"[a-z-]+", excluded.group(1))) - {"and"} if excluded else set()
    keys = {name: argument for name, (argument, _) in options.items() if name not in not_keys}
    with open(conf, encoding="utf-8") as page:
        found = dict(re.findall(r"^\.It Cm (\S+) No = Ar (\S+)$", page.read(), re.M))
    for name, argument in keys.items():
        wanted = argument.lower() if argument else "yes|no"
        check(found.get(name) == wanted, f"{conf}: {name} = {found.get(name)}, --help has {wanted}")
    for name in found:
        check(name in keys, f"{conf}: {name} is not a key")
    with open(example, encoding="utf-8") as file:
        lines = file.read().splitlines()
    commented = {line[1:].split(" =")[0] for line in lines if re.match(r"#[a-z-]+ = .", line)}
    check(commented == set(keys), f"{example}: not as the keys: {sorted(commented ^ set(keys))}")
    check(all(not line or line.startswith("#") for line in lines), f"{example}: a line is no comment")


def main():
    program, path, *conf = sys.argv[1:]
    page, top = Page(path), Help(program)
    helps = {command: Help(program, command) for command in top.commands}
    known = dict(top.options)
    statuses = set(top.statuses)

    for command, text in helps.items():
        known.update(text.options)
        statuses |= text.statuses
        check(text.statuses, f"{command} --help: no exit statuses")
        check(command in page.parts, f"the manual page has no section {command}")
        check_synopsis(command, page.synopsis.get(command, {}), text.options)
        for name in page.options.get(command, {}):
            check(name in text.options, f"{command} does not support --{name}, which is in its section")
        for name in text.options:
            check(name in page.options["DESCRIPTION"] or name in page.options.get(command, {}),
                  f"--{name} of {command} is neither in its section nor in DESCRIPTION")
    for command in page.synopsis:
        check(not command or command in helps, f"{command} of the synopsis is not in --help")
    if not helps:
        options = {n: a for n, a in page.synopsis[""].items() if n not in FOR_ALL}
        check_synopsis(program, options, top.options)
    for name, (argument, description) in known.items():
        check_option(program, name, argument, description, page)
    if conf:
        check_keys(program, top.options, *conf)
    for name in page.all():
        check(name in known, f"--{name} of the manual page is not in {program} --help")
    check(statuses and statuses == page.statuses,
          f"exit statuses: {sorted(statuses)} in --help, {sorted(page.statuses)} in the manual page")
    check(len(known) >= 3, f"{program} --help: no options")
    for error in errors:
        print(f"{path}: {error}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
