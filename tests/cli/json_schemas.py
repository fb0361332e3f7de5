# SPDX-License-Identifier: LGPL-2.1-or-later
"""
The schemas of cxl-spa's JSON (cli/schemas), for json_schemas.sh:

	old DIRECTORY		outputs of earlier versions are valid
	strict			the records on standard input are valid and have no key without a schema:
				a line with the schema and what was run, the output, and a line "."
	keys DIRECTORY		the manual page of each schema's command names each of its keys
	same			definitions of one name are the same in all schemas
	fields SOURCE		the schema of events has the fields of records, as SOURCE names them
"""
import copy
import glob
import json
import os
import re
import sys

from jsonschema import Draft202012Validator

DIRECTORY = os.environ.get('srcdir', '.') + '/cli/schemas/'

# The subcommands whose manual pages have the keys of a schema; a page refers to the others.
PAGES = {
    'list': ('list',),
    'explain': ('explain',),
    'translate': ('translate', 'events'),
    'verify': ('verify',),
    'verify-inject': ('verify',),
    'events': ('events',),
    'health': ('health',),
    'map': ('map',),
    'triage': ('triage',),
    'page': ('page',),
    'page-list': ('page',),
    'repair': ('repair',),
    'region-plan': ('region',),
    'change': ('region', 'list'),
}


def load():
    schemas = {}
    for path in glob.glob(DIRECTORY + 'cxl-spa.*.json'):
        name = os.path.basename(path).split('.')[1]
        with open(path, encoding='utf-8') as f:
            schemas[name] = json.load(f)
        Draft202012Validator.check_schema(schemas[name])
        if not re.fullmatch(r'/cxl-spa/schemas/%s\.v1_[0-9]+_0\.json' % name, schemas[name]['$id']):
            fail(f'{path}: $id is {schemas[name]["$id"]}')
    return schemas


failed = []


def fail(text):
    failed.append(text)
    print('FAIL:', text)


def strict(schema):
    """A copy that allows no key which it does not describe."""
    if isinstance(schema, list):
        return [strict(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    out = {k: strict(v) for k, v in schema.items()}
    if out.get('type') == 'object' and isinstance(out.get('properties'), dict):
        out.setdefault('additionalProperties', False)
    return out


def validate(validator, text, what, stream):
    """A stream has a document on each line."""
    if not stream or text.startswith('{\n'):
        texts = [text]
    else:
        texts = text.splitlines()
    for one in texts:
        try:
            error = next(iter(validator.iter_errors(json.loads(one))), None)
        except ValueError as e:
            fail(f'{what}: no JSON: {e}')
            continue
        if error:
            leaf = error
            while leaf.context:
                leaf = max(leaf.context, key=lambda e: len(e.absolute_path))
            fail(f'{what}: {leaf.json_path}: {leaf.message[:300]}')


def old(schemas, directory):
    seen = set()
    for path in sorted(glob.glob(directory + '/*-[0-9]*.json')):
        name = os.path.basename(path).rsplit('-', 1)[0]
        seen.add(name)
        with open(path, encoding='utf-8') as f:
            validate(Draft202012Validator(schemas[name]), f.read(), path, name == 'events')
    if seen != set(schemas):
        fail(f'no old output of {sorted(set(schemas) - seen)}, no schema of {sorted(seen - set(schemas))}')


def records(schemas):
    validators = {name: Draft202012Validator(strict(s)) for name, s in schemas.items()}
    n, lines, heading = 0, [], None
    for line in sys.stdin:
        if heading is None:
            heading = line.strip().split(' ', 1)
        elif line == '.\n':
            validate(validators[heading[0]], ''.join(lines), heading[1], heading[0] == 'events')
            heading, lines, n = None, [], n + 1
        else:
            lines.append(line)
    print(n, 'outputs')
    if not n:
        fail('no output')
    # A key that no schema has is found.
    broken = copy.deepcopy(schemas['health'])
    del broken['properties']['devices_unknown']
    broken['required'].remove('devices_unknown')
    with open(os.environ.get('srcdir', '.') + '/tests/cli/json-v1/health-1.json', encoding='utf-8') as f:
        if Draft202012Validator(strict(broken)).is_valid(json.load(f)):
            fail('a key without a schema is not found')


def keys_of(schema):
    if isinstance(schema, list):
        return set().union(*(keys_of(s) for s in schema))
    if not isinstance(schema, dict):
        return set()
    found = set()
    for key, value in schema.items():
        if key in ('properties', '$defs') and isinstance(value, dict):
            found |= set(value) if key == 'properties' else set()
            found |= keys_of(list(value.values()))
        else:
            found |= keys_of(value)
    return found


def words_of(path):
    with open(path, encoding='utf-8') as f:
        return {word for line in f if re.match(r'\.(It )?(Pq |Po |Pf \( )?Li ', line)
                for word in re.findall(r'[a-z0-9_]+', line.split('Li ', 1)[1])}


def keys(schemas, directory):
    for name, schema in sorted(schemas.items()):
        pages = [f'{directory}/cxl-spa-{command}.1' for command in PAGES[name]]
        missing = sorted(keys_of(schema) - set().union(*map(words_of, pages)))
        if missing:
            fail(f'{pages[0]} does not name {", ".join(missing)}')


def same(schemas):
    first = {}
    for name, schema in sorted(schemas.items()):
        for definition, value in schema.get('$defs', {}).items():
            if first.setdefault(definition, (name, value))[1] != value:
                fail(f'{definition} of {name} is not that of {first[definition][0]}')


def fields(schemas, source):
    """`fields` of an event may have others, from later kernels; the page has what the schema has."""
    with open(source, encoding='utf-8') as f:
        names = set(re.findall(r'\[(?:FIELD|BYTES)_[A-Z0-9_]+\] = \{?"([a-z0-9_]+)"', f.read()))
    described = schemas['events']['$defs']['event']['properties']['fields']['properties']
    if len(names) < 60 or names != set(described):
        fail(f'{source} has {sorted(names - set(described))}, the schema of events {sorted(set(described) - names)}')


def main():
    schemas = load()
    action = sys.argv[1]
    if action == 'old':
        old(schemas, sys.argv[2])
    elif action == 'strict':
        records(schemas)
    elif action == 'keys':
        keys(schemas, sys.argv[2])
    elif action == 'fields':
        fields(schemas, sys.argv[2])
    else:
        same(schemas)
    sys.exit(bool(failed))


main()
