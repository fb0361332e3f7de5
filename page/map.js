// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The interleave map: a range of system addresses as cells, from a window down to chunks of 256
// bytes. Which device has a chunk is what the service's translation answers for it, never computed
// here. Errors are those of the event log, by the addresses that they were stored with.

import {badge, el, hex, id, mark, rank, replace, roving, row, size, table, time} from "./dom.js";
import {big, link, oem} from "./model.js";
import {SYSTEM, get, post, query} from "./redfish.js";

const CELLS = 128n, CHUNK = 256n, ERRORS_MAX = 500;
const ADDRESS = "Oem/CXLHost/SystemPhysicalAddress";
const ENTRY = "Id,Severity,Created,Message,MessageId,Resolved,Oem/CXLHost/Extents,Oem/CXLHost/PageRanges";

let view = null;  // {window, lo, hi, title}
let turn = 0;	  // of the newest drawing: an older one does not replace it
let more = false;  // the log has more entries here than were read
let marked = null; // an address that was located

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

// What "#map/NAME" or "#map/0xLOW-0xEND" names.
export function openMap(model, name) {
	const range = /^(0x[0-9a-f]+)-(0x[0-9a-f]+)$/.exec(name || "");
	const named = [...model.regions, ...model.windows].find((x) => x.Id === name);

	if (range) {
		const lo = BigInt(range[1]), hi = BigInt(range[2]);
		const w = windowAt(model, lo);

		view = w && hi > lo ? {window: w.uri, lo, hi: hi < w.base + w.size ? hi : w.base + w.size} : null;
	} else if (named && named.base !== undefined && named.size) {
		view = {window: named.window ? named.window.uri : named.uri, lo: named.base,
			hi: named.base + named.size};
	} else {
		const first = model.regions.find((r) => r.base !== undefined && r.size) ||
			model.windows.find((w) => w.base !== undefined && w.size);

		view = first ? {window: first.window ? first.window.uri : first.uri, lo: first.base,
			hi: first.base + first.size} : null;
	}
}

// The chunks around an address.
export function rangeAround(address) {
	const lo = address - address % (CHUNK * CELLS);

	return hex(lo) + "-" + hex(lo + CHUNK * CELLS);
}

export function markAddress(address) {
	marked = address;
}

async function readErrors(lo, hi) {
	return get(query(SYSTEM + "/LogServices/CXL/Entries", {
		filter: ADDRESS + " ge '" + hex(lo) + "' and " + ADDRESS + " lt '" + hex(hi) + "'",
		select: ENTRY, top: ERRORS_MAX}));
}

async function translate(cells) {
	const body = await post(SYSTEM + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA",
		{SystemPhysicalAddresses: cells.map((c) => hex(c.lo))});

	return body.Translations || [];
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

function describe(model, c, leaf) {
	const parts = [hex(c.lo) + " to " + hex(c.hi - 1n)];

	if (leaf && c.device) {
		const dpa = c.answer.DevicePhysicalAddress, last = c.answer.DevicePhysicalAddressLast;

		parts.push(c.device.Name + " at device address " + dpa +
			(c.answer.Exact ? "" : " to " + last + " (not exact: " + (c.answer.Reason || "") + ")"));
		if (c.answer.InterleavePosition !== undefined)
			parts.push("position " + c.answer.InterleavePosition);
	} else if (leaf && c.answer) {
		parts.push(c.answer.Reason || "no device");
	}
	parts.push(c.region ? c.region.Name : "no region");
	if (c.offline)
		parts.push(c.offline);
	if (c.errors.size)
		parts.push(c.errors.size + (more ? " or more" : "") + " log entries" + (c.severity ? ", worst " + c.severity : ", all resolved") +
			(c.exact ? "" : ", somewhere in an interval"));
	if (c.poison)
		parts.push(c.poison + " of them records of poison");
	if (c.marked)
		parts.push("the located address");
	return parts.join(", ");
}

function drawCell(model, c, leaf, cell) {
	const colour = leaf ? (c.answer && c.answer.InterleavePosition !== undefined ? c.answer.InterleavePosition % 8 : -1) :
		c.region ? c.region.colour : -1;
	const text = describe(model, c, leaf);
	const attributes = {
		type: "button", "data-item": true, "data-key": hex(c.lo), "data-lo": hex(c.lo),
		"data-errors": c.errors.size || null, "data-offline": c.offline || null, "data-poison": c.poison || null, "data-device": c.device ? c.device.uri : null,
		class: "cell " + (colour >= 0 ? "fill c" + colour : "free") + (c.marked ? " found" : "") +
			(c.errors.size && !c.exact ? " maybe" : "") +
			(c.offline ? " offline" : ""),
		"aria-label": text, title: text,
		onclick: () => {
			location.hash = leaf ? c.device ? "devices/" + encodeURIComponent(c.device.Id) : location.hash :
				"map/" + hex(c.lo) + "-" + hex(c.hi);
		}};

	return el("button", attributes,
		el("span", {class: "what"}, leaf ? (c.device ? c.device.Name : "–") : "+" + (c.lo - view.lo).toString(16)),
		c.errors.size ? el("span", {class: "mark " + (c.severity || "resolved").toLowerCase()},
			(c.severity ? mark(c.severity) : "✓") + c.errors.size + (more ? "+" : "") + (c.poison ? " P" : "")) : null);
}

function crumbs(model, w) {
	const r = regionAt(w, view.lo);
	const list = [[w.Name, "#map/" + encodeURIComponent(w.Id)]];

	if (r && view.lo >= r.base && view.hi <= r.base + r.size)
		list.push([r.Name, "#map/" + encodeURIComponent(r.Id)]);
	return el("nav", {"aria-label": "Zoom"}, el("p", {class: "crumbs"}, list.map(([name, href]) => [el("a", {href}, name), " › "]),
		el("b", {}, hex(view.lo) + " – " + hex(view.hi - 1n)), " (" + size(view.hi - view.lo) + ") ",
		el("a", {href: "#map/" + outer(w), class: "button"}, "Zoom out")));
}

function outer(w) {
	const span = (view.hi - view.lo) * CELLS;
	let lo = view.lo - view.lo % span;

	if (span >= w.size || lo < w.base) {
		const r = regionAt(w, view.lo);

		return encodeURIComponent(r && (r.base !== view.lo || r.base + r.size !== view.hi) ? r.Id : w.Id);
	}
	return hex(lo) + "-" + hex(lo + span);
}

function errorTable(found) {
	const n = found["Members@odata.count"];

	return n === 0 ? el("p", {}, "No entries of the log have an address here.") :
		table((n > found.Members.length ? "The first " + found.Members.length + " of " : "") + n +
			" entries of the log with addresses here", ["Entry", "Severity", "Time", "State", "Pages", "Message"],
		found.Members.map((e) => row([e.Id, badge(e.Severity), time(e.Created),
			e.Resolved ? "resolved" : "not resolved",
			(oem(e).PageRanges || []).slice(0, 4).map((p) => p.First).join(" ") || "–", e.Message])));
}

// What the marks of the cells are not.
function notes(cells, found) {
	const n = found["Members@odata.count"];

	return el("div", {class: "small", id: "map-notes"},
		more ? el("p", {}, "The marks count the first " + found.Members.length + " of " + n +
			" entries of the log here (a number with + may be higher). Zoom in to see all of them.") : null,
		el("p", {}, cells.some((c) => c.offline) ? "Hatched cells are memory blocks that are offline. " : "",
			"The kernel lists no single pages that it took offline: a failed page is here as the entry of the log that named it. P: with records of poison; the poison list of a " +
			"device is among them once it was read."));
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
	}}, [...model.windows].map((w) => [el("option", {value: w.Id, selected: view.lo === w.base && view.hi === w.base + (w.size ?? 0n)}, w.Name + " (window)"),
		...w.regions.map((r) => el("option", {value: r.Id, selected: r.base !== undefined && view.lo >= r.base && view.hi <= r.base + (r.size ?? 0n)}, "  " + r.Name))]))));
}

export async function drawMap(model) {
	const mine = ++turn;

	if (view && !model.byUri.has(view.window))
		view = null;
	if (!view)
		openMap(model);
	if (!view) {
		replace(id("map-head"), el("p", {class: "notice"}, "No window or region has an address that is known. The findings say why."));
		replace(id("map-body"));
		return;
	}
	const w = model.byUri.get(view.window);
	const cell = cellSize(view.hi - view.lo);
	const leaf = cell === CHUNK;
	const cells = [];

	for (let lo = view.lo; lo < view.hi; lo += cell) {
		const hi = lo + cell < view.hi ? lo + cell : view.hi;
		const region = regionAt(w, lo) || w.regions.find((r) => r.base !== undefined && r.base >= lo && r.base < hi);

		cells.push({lo, hi, region, errors: new Set(), resolved: 0, poison: 0, severity: "", exact: false,
			marked: marked !== null && marked >= lo && marked < hi});
	}
	replace(id("map-head"), picker(model), crumbs(model, w),
		el("p", {class: "small"}, leaf ? "Each cell is 256 bytes; its colour is the position in the interleave set." :
			"Each cell is " + size(cell) + ", with its offset; its colour is the region. Activate a cell to zoom in."),
		blocks(regionAt(w, view.lo)));
	const [found, answers] = await Promise.all([readErrors(view.lo, view.hi), leaf ? translate(cells) : []]);

	if (mine !== turn)
		return;
	answers.forEach((a, i) => {
		cells[i].answer = a;
		cells[i].device = model.byUri.get(link(a.Memory));
	});
	more = found["Members@odata.count"] > found.Members.length;
	addErrors(cells, cell, view.lo, found.Members);
	addOffline(cells, w);
	const grid = el("div", {class: "cells", role: "group", "data-leaf": leaf, "data-cell": String(cell), "aria-label":
		"Map of " + cells.length + " cells of " + size(cell) + "; arrow keys move"}, cells.map((c) => drawCell(model, c, leaf, cell)));

	replace(id("map-body"), notes(cells, found), grid, errorTable(found), el("details", {}, el("summary", {}, "The map as a table"),
		table("Cells of the map", ["From", "Device or region", "Entries", "State"], cells.map((c) => row([hex(c.lo),
			leaf ? (c.device ? c.device.Name + " " + (c.answer.Exact ? c.answer.DevicePhysicalAddress : "(not exact)") : "–") :
				c.region ? c.region.Name : "–", String(c.errors.size) + (more && c.errors.size ? "+" : ""), c.offline || "–"])))));
	roving(grid, () => getComputedStyle(grid).gridTemplateColumns.split(" ").length);
}
