// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The event log, the newest entries first, by pages that the service makes. The filter is the
// service's, too, so that it costs the same with a million entries. A text is searched for in the
// entries that are shown only: the service has no index of it.

import {badge, el, id, replace, row, table, time} from "./dom.js";
import {link, oem} from "./model.js";
import {Refused, SYSTEM, get, query} from "./redfish.js";

const LOG = SYSTEM + "/LogServices/CXL/Entries";
const SELECT = "Id,Severity,Created,Message,MessageId,Resolved,Links/OriginOfCondition,Oem/CXLHost/KernelName," +
	"Oem/CXLHost/SystemPhysicalAddress,Oem/CXLHost/SystemPhysicalAddressLast,Oem/CXLHost/Exact,Oem/CXLHost/Reason";
const PAGE = 100;
const ADDRESS = "Oem/CXLHost/SystemPhysicalAddress";

let back = 0; // entries between the newest one and the page that is shown
let filter = "";
let entries = LOG; // of one device, its own log: $filter has no device
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
	const first = await get(query(entries, {filter, top: 1, select: "Id"}));
	const n = first["Members@odata.count"] || 0;
	const top = Math.min(PAGE, n);

	back = Math.max(0, Math.min(back, n - top));
	const skip = Math.max(0, n - back - top);

	if (n === 0)
		return {n, skip, list: []};
	const page = await get(query(entries, {filter, skip: skip || undefined, top, select: SELECT}));

	return {n, skip, list: page.Members.reverse()};
}

// The choices are those of the model; what was chosen stays, also while its device is away.
function offerDevices(model) {
	const choice = id("log-device");
	const chosen = choice.value;
	const list = model.devices.map((d) => [d.uri, d.Name])
		.sort((a, b) => a[1].localeCompare(b[1], "en", {numeric: true}));

	if (chosen && !list.some(([uri]) => uri === chosen))
		list.push([chosen, choice.selectedOptions[0].textContent]);
	// One that is open must not be replaced under the pointer.
	if ([...choice.options].slice(1).map((o) => o.value + o.textContent).join("\n") === list.map((x) => x.join("")).join("\n"))
		return;
	choice.replaceChildren(el("option", {value: ""}, "all"),
		...list.map(([uri, name]) => el("option", {value: uri}, name)));
	choice.value = chosen;
}

// Shows the rows that have the text; says how many that are.
function searchText() {
	const wanted = id("log-text").value.trim().toLowerCase();
	const rows = [...document.querySelectorAll("#log-table tbody tr")];
	let n = 0;

	for (const r of rows) {
		r.hidden = wanted !== "" && !r.textContent.toLowerCase().includes(wanted);
		n += !r.hidden;
	}
	id("log-matches").textContent = wanted ? n + " of the " + rows.length + " entries on this page have the text." : "";
}

export async function drawLog(model) {
	const mine = ++turn;
	let result;

	offerDevices(model);

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

	id("log-state").textContent = result.why || (n === 0 ? "No entries" + (filter || entries !== LOG ? " match." : ".") :
		"Entries " + (n - skip - list.length + 1) + " to " + (n - skip) + " of " + n + (filter || entries !== LOG ? " that match" : "") + ", the newest first");
	if (!filter && entries === LOG)
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
	searchText();
}

export function startLog(redraw) {
	id("log-filter").addEventListener("submit", (e) => {
		e.preventDefault();
		filter = expression();
		entries = id("log-device").value ? id("log-device").value + "/DeviceLog/Entries" : LOG;
		back = 0;
		redraw();
	});
	id("log-text").addEventListener("input", searchText);
	id("log-newer").addEventListener("click", () => {
		back = Math.max(0, back - PAGE);
		redraw();
	});
	id("log-older").addEventListener("click", () => {
		back += PAGE;
		redraw();
	});
}
