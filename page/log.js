// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The event log, the newest entries first, by pages that the service makes. The filter is the
// service's, too, so that it costs the same with a million entries.

import {badge, el, id, replace, row, table, time} from "./dom.js";
import {link, oem} from "./model.js";
import {Refused, SYSTEM, get, query} from "./redfish.js";

const ENTRIES = SYSTEM + "/LogServices/CXL/Entries";
const SELECT = "Id,Severity,Created,Message,MessageId,Resolved,Links/OriginOfCondition,Oem/CXLHost/KernelName," +
	"Oem/CXLHost/SystemPhysicalAddress,Oem/CXLHost/SystemPhysicalAddressLast,Oem/CXLHost/Exact,Oem/CXLHost/Reason";
const PAGE = 100;
const ADDRESS = "Oem/CXLHost/SystemPhysicalAddress";

let back = 0; // entries between the newest one and the page that is shown
let filter = "";
let turn = 0;

function expression() {
	const parts = [];
	const since = id("log-since").value;
	const severity = id("log-severity").value;

	if (severity)
		parts.push("Severity eq '" + severity + "'");
	if (since)
		parts.push("Created ge '" + new Date(since).toISOString().replace(/\.\d+Z/, "Z") + "'");
	for (const [name, operator] of [["log-from", "ge"], ["log-to", "le"]]) {
		const text = id(name).value.trim();

		if (text)
			parts.push(ADDRESS + " " + operator + " '" + (/^0x/i.test(text) ? "" : "0x") + text.replace(/'/g, "") + "'");
	}
	return parts.join(" and ");
}

function where(e) {
	const o = oem(e);

	if (o.SystemPhysicalAddress === undefined)
		return o.Reason ? el("span", {title: o.Reason}, "none: " + o.Reason) : "–";
	return el("a", {href: "#map/at/" + o.SystemPhysicalAddress}, o.SystemPhysicalAddress +
		(o.Exact === false && o.SystemPhysicalAddressLast ? " to " + o.SystemPhysicalAddressLast : ""));
}

async function read() {
	const first = await get(query(ENTRIES, {filter, top: 1, select: "Id"}));
	const n = first["Members@odata.count"] || 0;
	const top = Math.min(PAGE, n);

	back = Math.max(0, Math.min(back, n - top));
	const skip = Math.max(0, n - back - top);

	if (n === 0)
		return {n, skip, list: []};
	const page = await get(query(ENTRIES, {filter, skip: skip || undefined, top, select: SELECT}));

	return {n, skip, list: page.Members.reverse()};
}

export async function drawLog(model) {
	const mine = ++turn;
	let result;

	try {
		result = await read();
	} catch (e) {
		// An ended session and an outage are shown for the whole page, by the caller.
		if (!(e instanceof Refused) || mine !== turn)
			throw e;
		result = {n: 0, skip: 0, list: [], why: e.message};
	}
	if (mine !== turn)
		return;
	const {n, skip, list} = result;

	id("log-state").textContent = result.why || (n === 0 ? "No entries" + (filter ? " match." : ".") :
		"Entries " + (n - skip - list.length + 1) + " to " + (n - skip) + " of " + n + (filter ? " that match" : "") + ", the newest first");
	if (!filter)
		id("n-log").textContent = "(" + n + ")";
	id("log-newer").disabled = back === 0;
	id("log-older").disabled = skip === 0;
	replace(id("log-table"), table("Entries of the event log",
		["Entry", "Severity", "Message", "System address", "Device", "Time"],
		list.map((e) => {
			const d = model.byUri.get(link((e.Links || {}).OriginOfCondition));

			return row([e.Id, badge(e.Severity), e.Message + (e.Resolved ? " (resolved)" : ""), where(e),
				d ? el("a", {href: "#devices/" + encodeURIComponent(d.Id)}, d.Name) : oem(e).KernelName || "–",
				time(e.Created) || "not known"], {"data-entry": e.Id});
		})));
}

export function startLog(redraw) {
	id("log-filter").addEventListener("submit", (e) => {
		e.preventDefault();
		filter = expression();
		back = 0;
		redraw();
	});
	id("log-newer").addEventListener("click", () => {
		back = Math.max(0, back - PAGE);
		redraw();
	});
	id("log-older").addEventListener("click", () => {
		back += PAGE;
		redraw();
	});
}
