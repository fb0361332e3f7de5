// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The event log, the newest entries first, by pages that the service makes. The filter is the
// service's, too, so that it costs the same with a million entries. A text is searched for in the
// entries that are shown only: the service has no index of it.

import {badge, el, hex, id, replace, row, table, time} from "./dom.js";
import {link, oem} from "./model.js";
import {Refused, get, here, query} from "./redfish.js";

const LOG = "/LogServices/CXL/Entries";
const SELECT = "Id,Severity,Created,Message,MessageId,Resolved,Links/OriginOfCondition,Oem/CXLHost/KernelName," +
	"Oem/CXLHost/SystemPhysicalAddress,Oem/CXLHost/SystemPhysicalAddressLast,Oem/CXLHost/Exact,Oem/CXLHost/Reason," +
	"Oem/CXLHost/PageAddress,Oem/CXLHost/PageRanges,Oem/CXLHost/Slot,Resolution";
const PAGE = 100;
const ADDRESS = "Oem/CXLHost/SystemPhysicalAddress";

let back = 0; // entries between the newest one and the page that is shown
let filter = "";
let chosen = ""; // the device whose own log is shown: $filter has no device
let kind = ""; // of entries, their MessageId, by a link to them
let place = ""; // of the page, as it was applied
let turn = 0;

function entries() {
	return chosen ? chosen + "/DeviceLog/Entries" : here.system + LOG;
}

// The typed text as an address; "" if there is none.
function address(name) {
	const text = id(name).value.trim().toLowerCase();

	return text && hex(BigInt((text.startsWith("0x") ? "" : "0x") + text));
}

function expression() {
	const parts = kind ? ["MessageId eq '" + kind + "'"] : [];
	const since = id("log-since").value;
	const severity = id("log-severity").value;

	if (severity)
		parts.push("Severity eq '" + severity + "'");
	if (since)
		parts.push("Created ge '" + since.slice(0, 16) + ":00Z'");
	for (const [name, operator] of [["log-from", "ge"], ["log-to", "le"]])
		if (address(name))
			parts.push(ADDRESS + " " + operator + " '" + address(name) + "'");
	return parts.join(" and ");
}

// Faults that the fields' own rules (a pattern, a maximum) do not find.
function checkOrder() {
	const bad = id("log-from").validity.valid && id("log-to").validity.valid && address("log-from") && address("log-to") &&
		BigInt(address("log-from")) > BigInt(address("log-to"));

	id("log-to").setCustomValidity(bad ? "The last address is below the first one." : "");
}

// "#log/DEVICE/MESSAGE" of a link to entries of a device, of one kind.
export function openLog(model, name) {
	const at = /^([^/]+)(?:\/([\w.]+))?$/.exec(name);
	const device = at && model.devices.find((d) => d.Id === at[1]);

	if (name === place)
		return;
	place = name;
	if (!device)
		return;
	id("log-filter").reset();
	offerDevices(model);
	id("log-device").value = device.uri;
	kind = at[2] || "";
	apply();
}

function apply() {
	filter = expression();
	chosen = id("log-device").value;
	back = 0;
}

export function clearLog() {
	id("log-filter").reset();
	checkOrder();
	id("log-device").replaceChildren(el("option", {value: ""}, "all"));
	kind = place = "";
	apply();
	turn++;
	replace(id("log-table"));
	for (const name of ["log-state", "log-matches", "n-log"])
		id(name).textContent = "";
}

function where(e) {
	const o = oem(e);
	const first = o.SystemPhysicalAddress, last = o.SystemPhysicalAddressLast;

	if (first === undefined)
		return o.Reason ? el("span", {title: o.Reason}, "none: " + o.Reason) : "–";
	const interval = o.Exact === false && last && last !== first;
	const pages = o.PageAddress ? [o.PageAddress] : (o.PageRanges || []).slice(0, 4).map((p) => p.First);

	return [el("a", {href: "#map/at/" + first + (interval ? "-" + last : ""), "data-key": e.Id + " address"},
		first + (interval ? " to " + last : "")),
	pages.length ? el("div", {class: "small"}, (pages.length === 1 ? "page " : "pages ") + pages.join(" ")) : null];
}

// The event, and the next step.
function message(e) {
	return [e.Message + (e.Resolved ? " (resolved)" : ""),
		e.Resolution && e.Resolution !== "None." && !e.Resolved ? el("div", {class: "small"}, el("b", {}, "Next: "), e.Resolution) : null];
}

async function read() {
	const first = await get(query(entries(), {filter, top: 1, select: "Id"}));
	const n = first["Members@odata.count"] || 0;
	const top = Math.min(PAGE, n);

	back = Math.max(0, Math.min(back, n - top));
	const skip = Math.max(0, n - back - top);

	if (n === 0)
		return {n, skip, list: []};
	const page = await get(query(entries(), {filter, skip: skip || undefined, top, select: SELECT}));

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
	// A list that is open must not be replaced under the pointer.
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

	const selected = filter || chosen;

	id("log-state").textContent = (kind ? "Only " + kind.split(".").pop() + "; Filter shows all kinds again. " : "") + (result.why || (n === 0 ? "No entries" + (selected ? " match." : ".") :
		"Entries " + (n - skip - list.length + 1) + " to " + (n - skip) + " of " + n + (selected ? " that match" : "") + ", the newest first"));
	if (!filter && !chosen)
		id("n-log").textContent = "(" + n + ")";
	id("log-newer").disabled = back === 0;
	id("log-older").disabled = skip === 0;
	replace(id("log-table"), table("Entries of the event log",
		["Entry", "Severity", "Message", "System address", "Device", "Time"],
		list.map((e) => {
			const d = model.byUri.get(link((e.Links || {}).OriginOfCondition));

			return row([e.Id, badge(e.Severity), message(e), where(e),
				[d ? el("a", {href: "#devices/" + encodeURIComponent(d.Id), "data-key": e.Id + " device"}, d.Name) : oem(e).KernelName || "–",
					oem(e).Slot ? el("div", {class: "small"}, "slot " + oem(e).Slot) : null],
				time(e.Created) || "not known"], {"data-entry": e.Id});
		})));
	searchText();
}

export function startLog(redraw) {
	id("log-filter").addEventListener("submit", (e) => {
		e.preventDefault();
		kind = "";
		apply();
		redraw();
	});
	for (const name of ["log-from", "log-to"])
		id(name).addEventListener("input", checkOrder);
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
