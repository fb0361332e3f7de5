// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The box for an address. Reports of errors are read by the service, which has the rules for them
// (TranslateText); here are read a system address alone, and a device with a device address.

import {el, hex, id, many, replace, scrolled, size} from "./dom.js";
import {big, findDevice, health, link, oem, readSlot} from "./model.js";
import {Refused, here, post} from "./redfish.js";
import {rangeAround} from "./map.js";

const TEXT_MAX = 65536, ITEMS_MAX = 64, SLOTS_MAX = 8;
const CHUNK = 256n, ADDRESS_MAX = 0xffffffffffffffffn;
const ACTIONS = "/Actions/Oem/CXLHostComputerSystem.";

const NOTHING = "No address was found in it. Give 0x…, a device and 0x…, the name of a device, region or window, or a report of an error: a record of a CXL event, or lines of " +
	"the kernel's log.";

// A paste may have colours of a terminal, the line ends of any system, and spaces of a mail program.
const COLOURS = /(?:\^\[)?\[[0-9;]+m|\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;

function clean(text) {
	return text.replace(COLOURS, "").replace(/[\u0000-\u001f\u007f\s\ufeff]+/g, " ").trim();
}

// ---- what is read here -------------------------------------------------------------------------

function number(text) {
	const n = big(/^0x/i.test(text) ? text.toLowerCase() : "0x" + text);

	return n !== undefined && n <= ADDRESS_MAX ? n : undefined;
}

function ofAddress(text) {
	const spa = number(text);

	return spa === undefined ? {why: text + " is no address: it has more than 64 bits."} : {spa};
}

function ofPair(model, name, text) {
	const device = findDevice(model, name);
	const dpa = number(text);

	if (!device)
		return {why: "This host has no device " + name + "."};
	return dpa === undefined ? {why: text + " is no address: it has more than 64 bits."} : {device, dpa};
}

// A device by its name, identifier, serial number or PCI address, or a region or window by its name.
function ofName(model, line) {
	const text = line.replace(/[,;.]$/, "");
	const serial = /^(?:serial[:=]\s?)(0x[0-9a-f]{1,16}|[0-9]{1,20})$/i.exec(text);
	const device = serial ? findDevice(model, undefined, serial[1].toLowerCase()) : findDevice(model, text);
	const named = device ? undefined : [...model.regions, ...model.windows].find((x) => x.Id === text || x.Name === text);

	if (device || named)
		return {object: device || named};
	return /^(?:mem|region)\d+$|^decoder\d+\.\d+$|^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i.test(text) || serial ?
		{why: "This host has no " + (/^(?:region|decoder)/i.test(text) ? "region or window " : "device ") + text + "."} : undefined;
}

// A line that is nothing but an address, a name, or a device and an address.
function alone(model, line) {
	const bare = /^(?:[SH]PA\s*[:=]?\s*)?(0x[0-9a-f]+)\s?[,;.]?$/i.exec(line);
	const pair = /^([\w.:-]+?)[:,]?\s(?:DPA[ :=]\s?)?(0x[0-9a-f]+)\s?[,;.]?$/i.exec(line);

	if (bare)
		return ofAddress(bare[1]);
	const named = ofName(model, line);

	if (named)
		return named;
	return pair && !/^(?:pfn|page|addr|address|ADDR)$/.test(pair[1]) ? ofPair(model, pair[1], pair[2]) : undefined;
}

// Return: what to ask for, in the order of the text: {spa}, {device, dpa}, {object} or {why}; none: it is for the service.
export function parse(model, text) {
	const each = text.split(/[\r\n]+/).map(clean).filter(Boolean).map((line) => alone(model, line));

	return each.length && each.every(Boolean) ? each.slice(0, ITEMS_MAX) : [];
}

// ---- answers as sentences -----------------------------------------------------------------------

function range(first, last) {
	return first + (last !== undefined && last !== first ? " to " + last : "");
}

// Exact is what the service calls so, and nothing else.
function certainty(a) {
	const source = a.TranslationSource ? ", " + a.TranslationSource : "";

	return a.Exact === true ? " (exact" + source + ")." :
		" (an interval, not exact" + source + ")" + (a.Reason ? ": " + a.Reason + "." : ".");
}

function pageOf(model, first, last) {
	const page = BigInt(oem(model.system).PageSizeBytes || 0);

	return !page || first / page !== last / page ? "" :
		" It is in page " + hex(first / page) + " at " + hex(first - first % page) + " (" + size(page) + ").";
}

function item(model, a, devices, first, last, text) {
	const region = model.byUri.get(link(a.MemoryChunks));

	return {text, devices, region, node: a.NUMANode, exact: a.Exact === true,
		marks: first === undefined ? [] : [{first, last: last ?? first, exact: a.Exact === true}],
		uris: [...devices, region, region && region.window].filter(Boolean).map((x) => x.uri)};
}

// The result for a device and its address, from an answer of TranslateDPA or TranslateText.
function fromDpa(model, a, device, from) {
	const first = big(a.SystemPhysicalAddress), last = big(a.SystemPhysicalAddressLast) ?? first;

	const found = item(model, a, device ? [device] : [], first, last, first === undefined ?
		from + " has no system address: " + (a.Reason || "the service gives no reason") + "." :
		from + " is SPA " + range(a.SystemPhysicalAddress, a.SystemPhysicalAddressLast) + certainty(a) +
		((a.PageRanges || []).length > 1 ? " It touches the pages " + a.PageRanges.map((x) => range(x.First, x.Last)).join(", ") + "." :
			pageOf(model, first, last)));
	const parts = (a.Extents || []).map((x) => ({first: big(x.SystemPhysicalAddress), last: big(x.SystemPhysicalAddressLast), exact: x.Exact === true}))
		.filter((x) => x.first !== undefined && x.last !== undefined);

	// A record with a length has parts, and between them memory of other devices.
	return parts.length ? {...found, marks: parts} : found;
}

function isSame(then, now) {
	return then.Exact === true && now.Exact === true && then.SystemPhysicalAddress === now.SystemPhysicalAddress &&
		JSON.stringify(then.PageRanges) === JSON.stringify(now.PageRanges);
}

// A record has an address now, which is what is marked and linked, and one of its own time.
function fromText(model, a) {
	const device = model.byUri.get(link(a.Memory));
	const name = a.DeviceName || (device && device.Name);

	if (a.DevicePhysicalAddress === undefined)
		return item(model, a, device ? [device] : [], undefined, undefined,
			"Line " + a.Line + (name ? ", " + name : "") + ": " + (a.Reason || "it cannot be read") + ".");
	const from = "Line " + a.Line + ": " + [name, "DPA " + range(a.DevicePhysicalAddress, a.DevicePhysicalAddressLast)].filter(Boolean).join(" ");
	const now = a.Now ? fromDpa(model, a.Now, device, from + " now") :
		item(model, {}, device ? [device] : [], undefined, undefined, from + " has no system address now.");

	return {...now, text: now.text + " When it was recorded: " + (a.Now && isSame(a, a.Now) ? "the same." :
		a.SystemPhysicalAddress === undefined ? "no system address: " + (a.Reason || "the service gives no reason") + "." :
			"SPA " + range(a.SystemPhysicalAddress, a.SystemPhysicalAddressLast) + certainty(a))};
}

function candidates(model, a) {
	return (a.Candidates || []).map((c) => ({device: model.byUri.get(link(c.Memory)),
		text: range(c.DevicePhysicalAddress, c.DevicePhysicalAddressLast)}));
}

// The result for a system address, from an answer of TranslateSPA.
function fromSpa(model, a, spa) {
	const device = model.byUri.get(link(a.Memory));
	const several = candidates(model, a);
	const from = "SPA " + hex(spa);

	if (several.length)
		return {...item(model, a, several.map((c) => c.device).filter(Boolean), spa, spa, from + " is of one of " + several.length +
			" devices: " + several.map((c) => (c.device ? c.device.Name : "a device") + " DPA " + c.text).join(", ") + certainty(a))};
	if (a.DevicePhysicalAddress === undefined)
		return item(model, a, [], spa, spa, from + " has no device address: " + (a.Reason || "the service gives no reason") + ".");
	return item(model, a, device ? [device] : [], spa, spa, from + " is " + (device ? device.Name : "a device") + " DPA " +
		range(a.DevicePhysicalAddress, a.DevicePhysicalAddressLast) + certainty(a) + pageOf(model, spa, spa));
}

// Ranges that continue each other, and are equally certain, are one.
function joined(list) {
	const all = [];

	for (const x of [...list].sort((a, b) => a.first < b.first ? -1 : a.first > b.first ? 1 : 0)) {
		const before = all[all.length - 1];

		if (before && x.first <= before.last + 1n && x.exact === before.exact)
			before.last = x.last > before.last ? x.last : before.last;
		else
			all.push({...x});
	}
	return all;
}

// The chunks of a page by what has them: a device, several of which one has it, or none.
function groups(model, answers, first) {
	const map = new Map();

	answers.forEach((a, i) => {
		const several = candidates(model, a);
		const devices = several.length ? several.map((c) => c.device).filter(Boolean) : [model.byUri.get(link(a.Memory))].filter(Boolean);
		const key = devices.map((d) => d.uri).join(" ") || a.Reason || "";
		const group = map.get(key) || {devices, a, chunks: [], dpas: []};
		const lo = first + BigInt(i) * CHUNK, from = big(a.DevicePhysicalAddress), last = big(a.DevicePhysicalAddressLast);

		group.chunks.push({first: lo, last: lo + CHUNK - 1n, exact: a.Exact === true});
		if (from !== undefined)
			group.dpas.push({first: from, last: a.Exact === true ? from + CHUNK - 1n : last ?? from, exact: a.Exact === true});
		if (a.Exact !== true)
			group.a = a;
		map.set(key, group);
	});
	return [...map.values()];
}

function fromPage(model, answers, what) {
	return groups(model, answers, what.first).map((g) => {
		const share = "Page " + hex(what.first / (what.last - what.first + 1n)) + ", SPA " + hex(what.first) + " to " + hex(what.last) + ": " +
			g.chunks.length + " of " + many(answers.length, "chunk");
		const dpas = joined(g.dpas).slice(0, 8).map((x) => hex(x.first) + " to " + hex(x.last)).join(", ");
		const found = item(model, g.a, g.devices, what.first, what.last, g.devices.length === 0 ?
			share + (g.chunks.length === 1 ? " has" : " have") + " no device: " + (g.a.Reason || "the service gives no reason") + "." :
			share + (g.devices.length > 1 ? " of one of " : " of ") + g.devices.map((d) => d.Name).join(", ") +
			(dpas ? ", DPA " + dpas : "") + certainty(g.a));

		return {...found, marks: joined(g.chunks)};
	});
}

// The object of a name. It is known by no address, so that it is neither exact nor an interval.
function fromName(x) {
	const state = health(x) || "health not known";

	if (x.regions && !x.isWindow)
		return {text: "Device " + x.Name + ": " + state + ", " + size(BigInt(x.CapacityMiB || 0) * 1048576n) + ", " +
			[(oem(x).PCIFunction || {}).Address, x.SerialNumber === undefined ? undefined : "serial number " + x.SerialNumber,
				x.regions.length ? "in " + x.regions.map((r) => r.Name).join(", ") : "in no region"].filter(Boolean).join(", ") + ".",
		devices: [x], marks: [], uris: [x.uri], exact: false};
	const range = x.base === undefined || !x.size ? [] : [{first: x.base, last: x.base + x.size - 1n, exact: true}];

	return {text: (x.isWindow ? "Window " : "Region ") + x.Name + ": " + state + ", " + size(x.size ?? 0n) +
		(range.length ? ", SPA " + hex(range[0].first) + " to " + hex(range[0].last) : "") + (x.isWindow ? "" : ", of " +
			many(x.devices.length, "device")) + ".", devices: [], region: x, marks: [], uris: [x.uri], exact: false};
}

// ---- questions ----------------------------------------------------------------------------------

async function ask(model, what) {
	if (what.why)
		return [{text: what.why, devices: [], marks: [], uris: [], exact: false}];
	if (what.object)
		return [fromName(what.object)];
	if (what.device)
		return [fromDpa(model, await post(what.device.uri + "/Actions/Oem/CXLHostMemory.TranslateDPA",
			{DevicePhysicalAddress: hex(what.dpa)}), what.device, what.device.Name + " DPA " + hex(what.dpa))];
	return [fromSpa(model, await post(here.system + ACTIONS + "TranslateSPA", {SystemPhysicalAddress: hex(what.spa)}), what.spa)];
}

async function askPage(model, what) {
	const chunks = [];

	for (let at = what.first; at <= what.last; at += CHUNK)
		chunks.push(hex(at));
	return fromPage(model, (await post(here.system + ACTIONS + "TranslateSPA", {SystemPhysicalAddresses: chunks})).Translations || [], what);
}

// A report that names a system address has that of the present mapping; a page has several devices.
async function fromReport(model, a) {
	const first = big(a.SystemPhysicalAddress), last = big(a.SystemPhysicalAddressLast) ?? first;
	const before = "Line " + a.Line + ", " + a.Form + ": ", doubt = a.Now && a.Now.Reason ? " " + a.Now.Reason + "." : "";

	if (a.DeviceName !== undefined || first === undefined)
		return [fromText(model, a)];
	if (first === last)
		return [fromSpa(model, {...a, ...a.Now}, first)].map((x) => ({...x, text: before + x.text}));
	return (await askPage(model, {first, last})).map((x) => ({...x, exact: false, text: before + x.text + doubt}));
}

// Return: as locate(). `thisBoot`: the user says that the reports are of this host and boot.
async function records(model, text, thisBoot) {
	const answer = await post(here.system + ACTIONS + "TranslateText", {Text: text, ...(thisBoot ? {ThisBoot: true} : {})});

	const items = [];

	for (const a of answer.Translations || [])
		items.push(...await fromReport(model, a));
	return {items, asksBoot: (answer.Translations || []).some((a) => a.Provenance && (thisBoot || a.Provenance.Boot === "unknown")),
		note: answer.Truncated ? "The text has more reports: only the first " + answer.Translations.length + " are here." : ""};
}

// Where the devices are plugged in, of a few of them.
async function addSlots(items) {
	const devices = [...new Set(items.flatMap((x) => x.devices))];

	await Promise.all(devices.slice(0, SLOTS_MAX).map(readSlot));
}

async function answers(model, text, thisBoot) {
	const nothing = {items: [], note: ""};

	if (text.trim() === "")
		return {...nothing, note: "Nothing was given. " + NOTHING.replace(/^.*?\. /, "")};
	if (new TextEncoder().encode(text).length > TEXT_MAX)
		return {...nothing, note: "The text is longer than " + TEXT_MAX + " bytes: nothing was looked for in it. Paste fewer lines."};
	const all = parse(model, text), found = {...nothing, items: []};

	for (const what of all)
		found.items.push(...await ask(model, what));
	const result = all.length ? found : await records(model, text, thisBoot);

	return result.items.length ? result : {...nothing, note: NOTHING};
}

// Asks the service. Return: {items, note, asksBoot}; each item has a text, and what is to be marked; asksBoot: whether the reports
// are of this boot can be said by the user.
export async function locate(model, text, thisBoot) {
	try {
		const result = await answers(model, text.replace(/\r\n?/g, "\n"), thisBoot);

		await addSlots(result.items);
		return result;
	} catch (e) {
		if (e instanceof Refused)
			return {items: [], note: e.message};
		throw e;
	}
}

// ---- the list -----------------------------------------------------------------------------------

function links(x, go) {
	const to = (href, ...text) => el("a", {href, onclick: go}, ...text);
	const mark = x.marks[0];
	const shown = x.devices[0] || x.region;

	return [x.devices.map((d) => el("span", {}, to("#devices/" + encodeURIComponent(d.Id), d.Name), d.slot ? " in slot " + d.slot : "")),
		x.region ? to("#map/" + encodeURIComponent(x.region.Id), x.region.Name) : null,
		x.node !== undefined ? el("span", {}, "node " + x.node) : null,
		x.region && mark ? to("#map/" + rangeAround(mark.first, x.marks[x.marks.length - 1].last), "on the map") : null,
		shown ? to("#topology/" + encodeURIComponent(shown.Id), "in the drawing") : null].flat().filter(Boolean);
}

// `go` gets clicks of the links, for what the browser does not do when the address stays the same.
export function drawFound(result, go) {
	replace(id("found"), result.note ? el("p", {}, result.note) : null,
		result.items.length ? scrolled(el("ol", {}, result.items.map((x) => {
			const row = links(x, go);

			return el("li", {"data-exact": String(x.exact)}, el("p", {}, x.text), row.length ? el("p", {class: "row"}, row) : null);
		})), many(result.items.length, "answer")) : null);
}
