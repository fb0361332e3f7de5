// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The interleave map: a range of system addresses as cells, from a window down to chunks of 256
// bytes. The service's translation answers which device has a chunk; it is never computed here.
// Errors are those of the event log, by the addresses that they were stored with.

import {badge, el, hex, id, many, mark, rank, replace, roving, row, size, table, time} from "./dom.js";
import {big, link, oem} from "./model.js";
import {each, get, here, optional, post, query} from "./redfish.js";

const CELLS = 128n, CHUNK = 256n, ERRORS_MAX = 500;
const LOG = "/LogServices/CXL/Entries";
const ISOLATED = "/LogServices/HardwareIsolation/Entries", ISOLATED_MAX = 1000, PAGE = 4096n;
const ADDRESS = "Oem/CXLHost/SystemPhysicalAddress";
const ENTRY = "Id,Severity,Created,Message,MessageId,Resolved,Oem/CXLHost/Extents,Oem/CXLHost/PageRanges";

let view = null;	// {window, lo, hi} or {missing}, what is nowhere
let turn = 0;		// of the newest drawing: an older one does not replace it
let more = false;	// the log has more entries here than were read
let located = [];	// ranges {first, last, exact} of the answers for the box
let named = null;	// the range that the address of the page has, {first, last}
let counted = {key: ""}; // numbers of entries that the service has counted, by cell

function cellSize(span) {
	let cell = CHUNK;

	while (cell * CELLS < span)
		cell *= 2n;
	return cell;
}

function windowAt(model, address) {
	return model.windows.find((w) => w.base !== undefined && w.size !== undefined &&
		address >= w.base && address < w.base + w.size);
}

function regionAt(w, address) {
	return w.regions.find((r) => r.base !== undefined && r.size !== undefined &&
		address >= r.base && address < r.base + r.size);
}

function down(address) {
	return address - address % CHUNK;
}

// The part of a window between two addresses, by whole chunks.
function openRange(model, first, end) {
	const w = windowAt(model, first);
	const lo = down(first), hi = down(end + CHUNK - 1n);

	view = w && end > first ? {window: w.uri, lo: lo > w.base ? lo : w.base, hi: hi < w.base + w.size ? hi : w.base + w.size} :
		{missing: hex(first) + (w ? " to " + hex(end) + " is no range." : " is in no window.")};
}

function openWhole(x) {
	view = {window: x.window ? x.window.uri : x.uri, lo: x.base, hi: x.base + x.size};
}

// What "#map/NAME", "#map/0xLOW-0xEND" or "#map/at/0xFIRST-0xLAST" names.
export function openMap(model, name) {
	const range = /^(0x[0-9a-f]{1,16})-(0x[0-9a-f]{1,17})$/.exec(name || "");
	const at = /^at\/(0x[0-9a-f]{1,16})(?:-(0x[0-9a-f]{1,16}))?$/.exec(name || "");
	const all = [...model.regions, ...model.windows];
	const known = all.find((x) => x.Id === name);
	const first = all.find((x) => x.base !== undefined && x.size);

	named = at ? {first: BigInt(at[1]), last: BigInt(at[2] ?? at[1])} : null;
	if (at)
		openRange(model, ...aroundOf(named.first, named.last, windowAt(model, named.first)));
	else if (range)
		openRange(model, BigInt(range[1]), BigInt(range[2]));
	else if (known && known.base !== undefined && known.size)
		openWhole(known);
	else if (name)
		view = {missing: known ? "The address of " + known.Name + " is not known." : "This host has no window or region " + name + "."};
	else if (first)
		openWhole(first);
	else
		view = null;
}

// The chunks around an address, or around an interval. An address in no window stays as it is.
function aroundOf(first, last, w) {
	const most = CHUNK * CELLS;
	const lo = first - first % most;

	return w ? [lo < w.base ? w.base : lo, last < lo + most ? lo + most : down(last) + CHUNK] : [first, last + 1n];
}

export function rangeAround(first, last = first) {
	return "at/" + hex(first) + (last > first ? "-" + hex(last) : "");
}

// Ranges that were located; those of an interval are marked as such.
export function markRanges(ranges) {
	located = ranges;
}

export function clearMap() {
	view = named = null;
	located = [];
	counted = {key: ""};
	turn++;
	replace(id("map-head"));
	replace(id("map-body"));
}

// ---- entries of the log -------------------------------------------------------------------------

function inRange(lo, hi, severity) {
	return ADDRESS + " ge '" + hex(lo) + "' and " + ADDRESS + " lt '" + hex(hi) + "'" +
		(severity ? " and Severity eq '" + severity + "'" : "");
}

async function readNewest(filter, count) {
	return (await get(query(here.system + LOG, {filter, select: ENTRY, top: ERRORS_MAX, skip: Math.max(0, count - ERRORS_MAX) || undefined}))).Members;
}

async function count(filter) {
	return (await get(query(here.system + LOG, {filter, select: "Id", top: 1})))["Members@odata.count"];
}

// Critical entries first, then the newest ones. Return: {list, n, critical}, with the number of
// all entries and whether all that are Critical are among them.
async function readErrors(lo, hi) {
	const all = inRange(lo, hi), worst = inRange(lo, hi, "Critical");
	const first = await get(query(here.system + LOG, {filter: all, select: ENTRY, top: ERRORS_MAX}));
	const n = first["Members@odata.count"];

	if (n <= first.Members.length)
		return {list: first.Members.reverse(), n, critical: true};
	const nWorst = await optional(count(worst), undefined);
	const lists = [nWorst ? await optional(readNewest(worst, nWorst), []) : [],
		await optional(readNewest(all, n), first.Members)];
	const byId = new Map(lists.flat().map((e) => [e.Id, e]));

	return {list: [...byId.values()].sort((a, b) => Number(b.Id) - Number(a.Id)), n,
		critical: nWorst !== undefined && lists[0].length === nWorst};
}

// The entries of a cell that were not read are counted by the service, and the worst severity of them
// is asked for: {n, severity}; n is undefined when it did not say.
async function countCell(c, critical) {
	const n = await optional(count(inRange(c.lo, c.hi)), undefined);
	let severity = "";

	if (n === undefined || n > c.errors.size)
		for (const s of critical ? ["Warning"] : ["Critical", "Warning"])
			if (!severity && rank(s) > rank(c.severity) && await optional(count(inRange(c.lo, c.hi, s)), 0) > 0)
				severity = s;
	return {n, severity};
}

// They are counted anew when the log has other entries here.
function keyOfCount(found) {
	return [view.lo, view.hi, found.n, found.list.length, (found.list[0] || {}).Id].join(" ");
}

async function countCells(cells, found) {
	const key = keyOfCount(found);

	if (counted.key !== key)
		counted = {key, cells: await each(cells, (c) => countCell(c, found.critical))};
	counted.cells.forEach(({n, severity}, i) => {
		const c = cells[i];

		c.unread = n === undefined ? undefined : Math.max(0, n - c.errors.size);
		if (severity)
			c.severity = severity;
	});
}

async function translate(cells) {
	const body = await post(here.system + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA",
		{SystemPhysicalAddresses: cells.map((c) => hex(c.lo))});

	return body.Translations || [];
}

// The positions of the interleave set that a cell has memory of. A cell of a whole period has all of them; which ones a smaller cell has,
// in their order, is what the service answers for its chunks.
async function addStripes(cells, cell) {
	const asked = [];

	for (const c of cells) {
		const ways = BigInt(c.region ? oem(c.region).InterleaveWays || 0 : 0);
		const granularity = BigInt(c.region ? oem(c.region).InterleaveGranularityBytes || 0 : 0);
		const first = c.region && c.region.base > c.lo ? c.region.base : c.lo;

		c.stripes = Array.from({length: Number(ways)}, (_, i) => i);
		if (!granularity || cell >= ways * granularity)
			continue;
		c.stripes = [];
		for (let lo = first; lo < c.hi; lo += granularity)
			asked.push({c, lo});
	}
	const answers = asked.length ? await translate(asked) : [];

	asked.forEach(({c}, i) => c.stripes.push((answers[i] || {}).InterleavePosition));
}

function drawStripes(c) {
	return !c.stripes || c.stripes.length === 0 ? null : el("span", {class: "stripes", "aria-hidden": "true"},
		c.stripes.map((p) => el("span", {class: p === undefined ? "none" : "p" + p % 8})));
}

function addErrors(cells, cell, lo, entries) {
	for (const e of entries)
		for (const x of oem(e).Extents || []) {
			const first = big(x.SystemPhysicalAddress), last = big(x.SystemPhysicalAddressLast) ?? first;

			if (first === undefined)
				continue;
			const from = first < lo ? 0 : Number((first - lo) / cell);
			const to = last < lo ? -1 : Math.min(cells.length - 1, Number((last - lo) / cell));

			for (let i = from; i <= to; i++) {
				const c = cells[i];

				c.errors.add(e.Id);
				if (/\.PoisonEvent$/.test(e.MessageId || "") && !e.Resolved)
					c.poison++;
				if (e.Resolved)
					c.resolved++;
				else if (rank(e.Severity) > rank(c.severity))
					c.severity = e.Severity;
				c.exact = c.exact || x.Exact;
			}
		}
}

// Memory blocks that are offline: of these alone the kernel has a list. An offline page is not in it.
function addOffline(cells, w) {
	const ranges = w.regions.flatMap((r) => (oem(r).DAXDevices || []).flatMap((d) => d.OfflineRanges || []))
		.map((x) => ({first: big(x.First), last: big(x.Last)}))
		.filter((x) => x.first !== undefined && x.last !== undefined);

	for (const c of cells)
		for (const x of ranges)
			if (x.first < c.hi && x.last >= c.lo)
				c.offline = x.first <= c.lo && x.last >= c.hi - 1n ? "offline" : c.offline || "partly offline";
}

// Pages that are out of use, of devices that are there, at the addresses that they were last at: {pages, unread}, which is undefined when the
// log could not be read.
async function readOut() {
	const body = await optional(get(query(here.system + ISOLATED, {top: ISOLATED_MAX})), undefined);
	const out = body ? body.Members.filter((e) => e.Links && ["out", "to-be-returned"].includes((oem(e).IsolatedPage || {}).State)) : [];
	const at = out.map((e) => oem(e).IsolatedPage.LastSystemPhysicalAddress).filter(Boolean);

	return {pages: [...new Set(at)].map(big), unread: body && body["Members@odata.count"] - body.Members.length};
}

function addOut(cells, pages) {
	for (const c of cells)
		c.out = pages.filter((first) => first < c.hi && first + PAGE > c.lo).length;
}

// Dynamic capacity has memory at its extents only. A list that is not complete says of no address that none is there.
function gapsOf(region) {
	const x = oem(region), gaps = [];
	let at = region.base;

	if (!x.ExtentsComplete || x.ExtentsNotListed || at === undefined || region.size === undefined)
		return [];
	for (const e of x.Extents) {
		gaps.push({first: at, last: region.base + big(e.Offset) - 1n});
		at = region.base + big(e.Offset) + big(e.SizeBytes);
	}
	return [...gaps, {first: at, last: region.base + region.size - 1n}].filter((g) => g.last >= g.first);
}

function addGaps(cells, w) {
	for (const g of w.regions.flatMap(gapsOf))
		for (const c of cells)
			if (g.first < c.hi && g.last >= c.lo)
				c.offline = g.first <= c.lo && g.last >= c.hi - 1n ? "no memory" : c.offline || "partly without memory";
}

function describe(model, c, leaf) {
	const parts = [hex(c.lo) + " to " + hex(c.hi - 1n)];

	if (leaf && c.device) {
		const dpa = c.answer.DevicePhysicalAddress, last = c.answer.DevicePhysicalAddressLast;

		parts.push(c.device.Name + " at device address " + dpa +
			(c.answer.Exact ? "" : " to " + last + " (not exact: " + (c.answer.Reason || "") + ")"));
		if (c.answer.InterleavePosition !== undefined)
			parts.push("position " + c.answer.InterleavePosition);
	} else if (leaf && c.answer) {
		parts.push((c.several.length ? "of one of " + c.several.map((d) => d.Name).join(", ") + ": " : "") + (c.answer.Reason || "no device"));
	}
	parts.push(c.region ? c.region.Name : "no region");
	if (c.stripes && c.stripes.length > 1)
		parts.push(many(c.stripes.length, "stripe"));
	if (c.offline)
		parts.push(c.offline);
	if (c.errors.size)
		parts.push(many(c.errors.size, "log entry", "log entries") + (c.unread === 0 ? "" : " read") +
			(c.severity ? ", worst " + c.severity : ", all resolved") + (c.exact ? "" : ", somewhere in an interval"));
	if (c.unread !== 0)
		parts.push(c.unread === undefined ? "log not read here" : many(c.unread, "log entry", "log entries") + " not read" +
			(c.severity && !c.errors.size ? ", worst " + c.severity : ""));
	if (c.poison)
		parts.push(c.poison + " of them records of poison");
	if (c.out)
		parts.push(many(c.out, "page") + " out of use");
	if (c.marked)
		parts.push(c.marked === "exact" ? "the located address" : "in the interval of the located address");
	return parts.join(", ");
}

// Drawn by the style sheet, as the cell's label says it in words: the number of entries, and a shape for the worst; "?" is what was not read.
function cellMark(c) {
	const n = c.errors.size + (c.unread || 0);
	const out = c.out ? el("span", {class: "mark out", "data-text": "⊘" + c.out}) : null;

	if (!n && c.unread !== undefined)
		return out;
	return [out, el("span", {class: "mark " + (c.severity || (c.unread === 0 ? "resolved" : "unread")).toLowerCase(), "data-text":
		(c.severity ? mark(c.severity) : c.unread === 0 ? "✓" : "?") + (n || "") + (c.unread === undefined && n ? "+" : "") + (c.poison ? " P" : "")})];
}

function cellClass(c, leaf) {
	const position = leaf && c.answer ? c.answer.InterleavePosition : undefined;
	const colour = leaf ? position === undefined ? "free" : "p" + position % 8 :
		c.region ? "fill c" + c.region.colour : "free";

	return "cell " + colour + (c.marked ? " found" : "") + (c.marked === "interval" ? " within" : "") +
		(c.errors.size && !c.exact ? " maybe" : "") + (c.offline ? " offline" : "");
}

// The device of a chunk, or those that it may be of.
function chunkName(c) {
	return c.device ? c.device.Name : c.several && c.several.length ? c.several.map((d) => d.Name).join(", ") : "–";
}

function drawCell(model, c, leaf) {
	const offset = "+" + size(c.lo - view.lo);
	const text = (leaf ? "" : offset + ", ") + describe(model, c, leaf);
	const n = c.errors.size + (c.unread || 0);
	const attributes = {
		type: "button", "data-item": true, "data-key": hex(c.lo), "data-lo": hex(c.lo),
		"data-errors": n || null, "data-unread": c.unread === 0 ? null : String(c.unread), "data-severity": c.severity || null,
		"data-offline": c.offline || null, "data-poison": c.poison || null, "data-out": c.out || null, "data-device": c.device ? c.device.uri : null,
		"data-found": c.marked || null, "data-stripes": c.stripes ? c.stripes.join(" ") : null, class: cellClass(c, leaf), "aria-label": text, title: text,
		onclick: () => {
			location.hash = leaf ? c.device ? "devices/" + encodeURIComponent(c.device.Id) : location.hash :
				"map/" + hex(c.lo) + "-" + hex(c.hi);
		}};

	return el("button", attributes, drawStripes(c),
		el("span", {class: "what"}, leaf ? chunkName(c) : offset),
		c.marked ? el("span", {class: "pin", "aria-hidden": "true"}, c.marked === "exact" ? "◎" : "◌") : null, cellMark(c));
}

function crumbs(model, w) {
	const r = regionAt(w, view.lo);
	const list = [[w.Name, "#map/" + encodeURIComponent(w.Id)]];
	const out = outer(w);

	if (r && view.lo >= r.base && view.hi <= r.base + r.size)
		list.push([r.Name, "#map/" + encodeURIComponent(r.Id)]);
	return el("nav", {class: "row", "aria-label": "Zoom"}, el("p", {class: "crumbs"}, list.map(([name, href]) => [el("a", {href}, name), " › "]),
		el("b", {}, hex(view.lo) + " – " + hex(view.hi - 1n)), " (" + size(view.hi - view.lo) + ")"),
	out ? el("a", {href: "#map/" + out, class: "button", "data-key": "zoom out"}, "Zoom out") : null);
}

// The next larger range: more cells, then the region, then the window, outside of which there is none.
function outer(w) {
	const span = cellSize(view.hi - view.lo) * CELLS * CELLS;
	const lo = view.lo - view.lo % span;
	const r = regionAt(w, view.lo);

	if (view.lo <= w.base && view.hi >= w.base + w.size)
		return "";
	if (r && view.lo >= r.base && view.hi <= r.base + r.size && view.hi - view.lo < r.size && (span >= r.size || lo < r.base))
		return encodeURIComponent(r.Id);
	return span >= w.size || lo < w.base ? encodeURIComponent(w.Id) : hex(lo) + "-" + hex(lo + span);
}

function errorTable(found) {
	return found.n === 0 ? el("p", {}, "No entries of the log have an address here.") :
		table((found.n > found.list.length ? found.list.length + " of " : "") + found.n +
			" entries of the log with addresses here, the newest first", ["Entry", "Severity", "Time", "State", "Pages", "Message"],
		found.list.slice(0, ERRORS_MAX).map((e) => row([e.Id, badge(e.Severity), time(e.Created),
			e.Resolved ? "resolved" : "not resolved",
			(oem(e).PageRanges || []).slice(0, 4).map((p) => p.First).join(" ") || "–", e.Message])));
}

// The note about pages that are out of use: those that are not on the map.
function noteOut(out) {
	return out.unread === undefined ? "The log of pages that are out of use could not be read. " :
		"⊘: pages that are out of use by the log HardwareIsolation" + (out.unread > 0 ? ", of which the first " + ISOLATED_MAX + " entries were read. " : ". ");
}

// The limits of the marks of the cells.
function notes(cells, found, out, counting) {
	return el("div", {class: "small", id: "map-notes"},
		more ? el("p", {}, found.list.length + " of the " + found.n + " entries of the log here were read: " +
			(found.critical ? "all that are Critical, and the newest ones. " : "the newest ones, those that are Critical first. ") +
			(counting ? "The others are being counted. " : "The service counted the others; whether these are resolved was not read. ") +
			"Zoom in to see all of them. “?”: not read.") : null,
		el("p", {}, cells.some((c) => c.offline) ? "Hatched cells are memory blocks that are offline, or addresses of dynamic capacity without memory. " : "",
			cells.some((c) => c.marked) ? "◎: the located address; ◌, dashed: it is somewhere among these cells. " : "",
			noteOut(out), "The kernel lists no single pages that it took offline by itself: a failed page is here as the entry of the log that named it. P: with records of poison; the poison list of a " +
			"device is among them once it was read."));
}

function extents(region) {
	const x = region ? oem(region) : {};

	if (!x.Extents)
		return null;
	return el("p", {class: "small"}, x.ExtentsComplete ?
		"Dynamic capacity: memory is at " + size(BigInt(x.ExtentsBytes)) + " of it, in " + many(x.Extents.length + x.ExtentsNotListed, "extent", "extents") +
			(x.ExtentsNotListed ? "; the map does not show where, for they are too many" : "") :
		"Dynamic capacity: not all its extents are known, so neither is at which addresses memory is");
}

function blocks(region) {
	const all = region ? oem(region).DAXDevices || [] : [];

	return all.length === 0 ? null : el("p", {class: "small"}, all.map((d) => d.KernelName + ": " + d.Mode +
		(d.TotalBlocks !== undefined ? ", " + d.OnlineBlocks + " of " + d.TotalBlocks + " memory blocks are online" : "") +
		(d.OfflineBlocksNotListed ? ", " + d.OfflineBlocksNotListed + " more offline blocks are not on the map" : "")).join("; "));
}

function picker(model) {
	return el("p", {class: "row"}, el("label", {}, "Show ", el("select", {id: "map-pick", onchange: (e) => {
		location.hash = "map/" + encodeURIComponent(e.target.value);
	}}, view.missing ? el("option", {value: "", selected: true}, "–") : null, [...model.windows].map((w) => [el("option", {value: w.Id, selected: view.lo === w.base && view.hi === w.base + (w.size ?? 0n)}, w.Name + " (window)"),
		...w.regions.map((r) => el("option", {value: r.Id, selected: r.base !== undefined && view.lo >= r.base && view.hi <= r.base + (r.size ?? 0n)}, "  " + r.Name))]))));
}

function cellsOf(w, cell) {
	const cells = [];
	const marks = [...located, ...(named ? [{...named, exact: named.first === named.last}] : [])];

	for (let lo = view.lo; lo < view.hi; lo += cell) {
		const hi = lo + cell < view.hi ? lo + cell : view.hi;
		const region = regionAt(w, lo) || w.regions.find((r) => r.base !== undefined && r.base >= lo && r.base < hi);
		const here = marks.filter((m) => m.first < hi && m.last >= lo);

		// An interval within one cell is there for certain.
		cells.push({lo, hi, region, errors: new Set(), resolved: 0, poison: 0, severity: "", exact: false, unread: 0,
			marked: here.length === 0 ? "" : here.some((m) => m.exact || m.first >= lo && m.last < hi) ? "exact" : "interval"});
	}
	return cells;
}

function drawBody(model, cells, cell, leaf, found, out, counting) {
	const grid = el("div", {class: "cells", role: "group", "data-leaf": leaf, "data-cell": String(cell), "data-counting": String(counting), "aria-label":
		"Map of " + cells.length + " cells of " + size(cell) + "; arrow keys move"}, cells.map((c) => drawCell(model, c, leaf)));

	replace(id("map-body"), notes(cells, found, out, counting), grid, errorTable(found), el("details", {}, el("summary", {}, "The map as a table"),
		table("Cells of the map", ["From", "Device or region", "Entries", "Worst", "State"], cells.map((c) => row([hex(c.lo),
			leaf ? chunkName(c) + (c.device ? " " + (c.answer.Exact ? c.answer.DevicePhysicalAddress : "(not exact)") : "") :
				c.region ? c.region.Name : "–", c.unread === undefined ? "not read" : String(c.errors.size + c.unread), c.severity || "–",
			[c.offline, c.out && many(c.out, "page") + " out of use", c.marked === "exact" ? "located" : c.marked && "in the located interval"].filter(Boolean).join(", ") || "–"])))));
	roving(grid, () => getComputedStyle(grid).gridTemplateColumns.split(" ").length);
}

function drawNothing(model) {
	replace(id("map-head"), view ? picker(model) : null, el("p", {class: "notice"}, view ? view.missing :
		"No window or region has an address that is known. The findings say why."));
	replace(id("map-body"));
}

export async function drawMap(model) {
	const mine = ++turn;

	if (!view || view.window && !model.byUri.has(view.window))
		openMap(model);
	if (!view || view.missing) {
		drawNothing(model);
		return;
	}
	const w = model.byUri.get(view.window);
	const cell = cellSize(view.hi - view.lo);
	const leaf = cell === CHUNK;
	const cells = cellsOf(w, cell);

	replace(id("map-head"), picker(model), crumbs(model, w),
		el("p", {class: "small"}, leaf ? "Each cell is 256 bytes; its colour is the position in the interleave set." :
			"Each cell is " + size(cell) + ", with its offset; its colour is the region, its stripes are the positions of the interleave set that it has " +
			"memory of. Activate a cell to zoom in."),
		blocks(regionAt(w, view.lo)), extents(regionAt(w, view.lo)));
	const [found, out, answers] = await Promise.all([readErrors(view.lo, view.hi), readOut(),
		leaf ? translate(cells) : addStripes(cells, cell).then(() => [])]);

	if (mine !== turn)
		return;
	answers.forEach((a, i) => {
		cells[i].answer = a;
		cells[i].device = model.byUri.get(link(a.Memory));
		cells[i].several = (a.Candidates || []).map((x) => model.byUri.get(link(x.Memory))).filter(Boolean);
	});
	more = found.n > found.list.length;
	addErrors(cells, cell, view.lo, found.list);
	addOffline(cells, w);
	addGaps(cells, w);
	addOut(cells, out.pages);
	if (more) {
		cells.forEach((c) => { c.unread = undefined; });
		if (counted.key !== keyOfCount(found))
			drawBody(model, cells, cell, leaf, found, out, true);
		await countCells(cells, found);
		if (mine !== turn)
			return;
	}
	drawBody(model, cells, cell, leaf, found, out, false);
}
