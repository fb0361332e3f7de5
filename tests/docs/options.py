#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare the --help of a program with its manual page: options.py PROGRAM PAGE [CONF EXAMPLE]

Both must have the same options with the same arguments, each with a description, and the same exit
statuses. Every number of an option's help is in its description. The help of a subcommand is compared
with the page beside PAGE that is named after it, which has the sections of COMMAND_SECTIONS.

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
            elif part.startswith("Exit status") and re.match(r"  \d+ ", line):
                self.statuses.add(int(line.split()[0]))
            elif part.startswith("Subcommands"):
                self.commands += re.findall(r"^  (\w+) ", line)


class Page:
    """Options ({name: (argument, description)}), options in the synopsis ({name: argument}), subcommands
    in the synopsis, and exit statuses of a manual page."""

    def __init__(self, path):
        self.path, self.options, self.synopsis, self.commands, self.statuses = path, {}, {}, set(), set()
        section = option = None
        sections = []
        with open(path, encoding="utf-8") as page:
            for line in page.read().splitlines():
                if line.startswith((".Sh ", ".Ss ")):
                    section = line[4:].strip('"') if line.startswith(".Sh") else section
                    sections += [section] if line.startswith(".Sh") else []
                    option = None
                elif section == "SYNOPSIS":
                    self.read_synopsis(line)
                elif re.match(r"\.It Fl -\w", line):
                    name, argument = re.match(r"\.It Fl -(\S+)(?: Ar (\S+))?$", line).groups()
                    option = [argument, ""]
                    check(name not in self.options, f"{path}: --{name} is described twice")
                    self.options[name] = option
                elif section == "EXIT STATUS" and re.match(r"\.It \d", line):
                    self.statuses.add(int(line.split()[1]))
                elif option:
                    option[1] += " " + line
        self.sections = sections

    def read_synopsis(self, line):
        if line.startswith(".Cm "):
            self.commands.add(line.split()[1])
        for name, argument in re.findall(r"(?:Fl|\|) -(\S+)(?: Ar (\S+))?", line):
            self.synopsis[name] = argument or None


def check_option(program, name, argument, description, page):
    check(description.strip(), f"{program} --help: --{name} has no description")
    if name not in page.options:
        check(False, f"--{name} of {program} is not in the manual page")
        return
    page_argument, page_description = page.options[name]
    check((argument or "").lower() == (page_argument or ""),
          f"--{name}: the argument is {argument} in {program} --help, {page_argument} in the manual page")
    check(re.search("[a-z]{4}", page_description), f"--{name} has no description in the manual page")
    for number in re.findall(r"\d+", description):
        check(number in re.findall(r"\d+", page_description),
              f"--{name}: {number} of {program} --help is not in the manual page")


# The sections of a subcommand's page, in this order; others may be between them.
COMMAND_SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]

# These print something and end the program.
FOR_ALL = ("help", "version")


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


def check_statuses(what, text, page):
    check(text.statuses and text.statuses == page.statuses,
          f"{what}: exit statuses: {sorted(text.statuses)} in --help, {sorted(page.statuses)} in the manual page")


def check_command(program, command, text, common):
    """The page of a subcommand has the options of its own; cxl-spa(1) has the common ones."""
    try:
        page = Page(re.sub(r"(\.\d)$", rf"-{command}\1", common.path))
    except FileNotFoundError as e:
        check(False, f"{command}: no manual page {e.filename}")
        return
    check([s for s in page.sections if s in COMMAND_SECTIONS] == COMMAND_SECTIONS, f"{page.path}: the sections are {page.sections}")
    check(page.commands == {command}, f"{page.path}: the synopsis is of {sorted(page.commands)}")
    check_synopsis(command, page.synopsis, text.options)
    check_statuses(command, text, page)
    for name in page.options:
        check(name in text.options, f"--{name} of the manual page is not in {program} {command} --help")
        check(name not in common.options, f"--{name} is in {page.path} and in {common.path}")
    for name, (argument, description) in text.options.items():
        check_option(f"{program} {command}", name, argument, description, common if name in common.options else page)


def main():
    program, path, *conf = sys.argv[1:]
    page, top = Page(path), Help(program)
    known = dict(top.options)
    for command in top.commands:
        text = Help(program, command)
        check_command(program, command, text, page)
        known.update(text.options)
    synopsis = {n: a for n, a in page.synopsis.items() if n not in FOR_ALL}
    check_synopsis(program, synopsis, {n: o for n, o in known.items() if n in page.options})
    for name, (argument, description) in top.options.items():
        check_option(program, name, argument, description, page)
    if conf:
        check_keys(program, top.options, *conf)
    for name in page.options:
        check(name in known, f"--{name} of the manual page is not in {program} --help")
    check_statuses(program, top, page)
    check(len(top.options) >= 3, f"{program} --help: no options")
    for error in errors:
        print(f"{path}: {error}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
