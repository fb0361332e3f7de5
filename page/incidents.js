// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Open incidents, the worst first: each with its place, its rates, the one act and its reason; an account with
// the privilege acknowledges and resolves them here. The text for a ticket has the lines of "cxl-spa triage".

import {badge, el, id, many, rank, replace, time} from "./dom.js";
import {listFindings, steps} from "./findings.js";
import {link, oem} from "./model.js";
import {LoginNeeded, get, here, mayWrite, patch, query} from "./redfish.js";

const ENTRIES = "/LogServices/Incidents/Entries";
const STATE = "Oem/CXLHost/Incident/State";
const IS_OPEN = STATE + " ne 'resolved' and " + STATE + " ne 'closed'";
const SHOWN_MAX = 50; // a page of the service
const LINES_MAX = 10;
const PAGES_MAX = 4;  // that a card names
const NOTE_MAX = 256; // bytes
const HAS_ADDRESS = /^(?:media-|poison)/;
const MAY_HAVE_ADDRESS = /^(?:media-|poison|configuration)/;

const drafts = new Map(); // notes that were typed and not sent, by number of the incident
const refusals = new Map(); // why the last request about an incident was refused
let shown;		    // {model, changed, failed} of the newest drawing
let said = ["", undefined]; // the last change, and its undoing

export const incidentOf = (e) => oem(e).Incident || {};

const isAcknowledged = (e) => incidentOf(e).State === "acknowledged";
const isWatched = (e) => incidentOf(e).Act === "watch";

// As incident_urgency() of the service: by severity, then open ones, then those with more to do than to watch them, then the newest entry.
function urgency(a, b) {
	return rank(b.Severity) - rank(a.Severity) || isAcknowledged(a) - isAcknowledged(b) || isWatched(a) - isWatched(b) ||
		incidentOf(b).LastEntry - incidentOf(a).LastEntry || Number(b.Id) - Number(a.Id);
}

async function readSome(filter) {
	const page = await get(query(here.system + ENTRIES, {filter, top: SHOWN_MAX}));

	return {list: page.Members, n: page["Members@odata.count"] ?? page.Members.length};
}

// When there are more than are shown, those of the worst severity. Return: {list, n}, n of all; {why} when they are not known.
export async function readIncidents() {
	try {
		const all = await readSome(IS_OPEN);
		let list = all.list;

		if (all.n > list.length) {
			list = [];
			for (const severity of ["Critical", "Warning", "OK"])
				if (list.length < SHOWN_MAX)
					list.push(...(await readSome("Severity eq '" + severity + "' and " + IS_OPEN)).list);
		}
		return {list: list.sort(urgency).slice(0, SHOWN_MAX), n: all.n};
	} catch (e) {
		if (e instanceof LoginNeeded)
			throw e;
		return {list: [], n: 0, why: e.message};
	}
}

// ---- sentences ------------------------------------------------------------------------------------

function deviceOf(model, e) {
	return model.byUri.get(link((e.Links || {}).OriginOfCondition));
}

// A finding about no device names the thing.
const ownerText = (i) => i.Device || (i.Finding || {}).ObjectName || "the host";

const isGone = (model, e) => !deviceOf(model, e) && incidentOf(e).Device;

// "mem2 (0000:0d:00.0, slot 2, serial 0xabc0)"
function deviceText(model, e) {
	const i = incidentOf(e), d = deviceOf(model, e);
	const parts = [d && (oem(d).PCIFunction || {}).Address, i.Slot && "slot " + i.Slot, i.SerialNumber && "serial " + i.SerialNumber]
		.filter(Boolean);

	return (d ? d.Name : ownerText(i)) + (parts.length ? " (" + parts.join(", ") + ")" : "");
}

// "17 corrected media errors"
function countText(e) {
	const found = incidentOf(e).Finding;

	return found ? found.Text : (e.MessageArgs || [])[1] || incidentOf(e).Count + " " + incidentOf(e).Kind;
}

function ratesText(i) {
	const r = i.Rate || {};

	if (i.Finding)
		return "it is there now" + (i.Count > 1 ? "; it came " + i.Count + " times" : "");
	return (i.CountIsMinimum ? "at least " : "") + r.Hour + " in the last hour, " + r.Day + " in 24 hours, " + r.Week + " in 7 days";
}

function certaintyText(i) {
	if (i.Finding)
		return i.Kind === "configuration" ? "the host's configuration shows it" : "the device itself reports it";
	if (!MAY_HAVE_ADDRESS.test(i.Kind) && i.Certainty === "unknown")
		return "errors of this kind have no address";
	return "the address is " + ({exact: "exact", interval: "an interval"}[i.Certainty] || "not known") + (i.Source ? ", by " + i.Source : "");
}

function pagesText(i) {
	const pages = i.PagesNow || [];

	if (pages.length === 0)
		return HAS_ADDRESS.test(i.Kind) && !i.Finding ? ", page not known exactly" : "";
	return ", page " + pages[0] + (pages.length > 1 ? " and " + (pages.length - 1) + " more" : "");
}

// The lines of "cxl-spa triage N".
export function ticketText(model, e) {
	const i = incidentOf(e);

	return [
		"What:  " + e.Severity.toLowerCase() + "; " + countText(e) + "; incident " + e.Id + ", " + i.State +
			(i.Previous ? ", it was incident " + i.Previous + " before" : ""),
		"Where: " + deviceText(model, e) + "; " + i.Place + (i.PlaceEvidence ? " (" + i.PlaceEvidence + ")" : "") + pagesText(i),
		"Host:  " + (model.system.HostName || "this one") + (isGone(model, e) ? "; the device is not there now" : ""),
		"Often: " + ratesText(i) + (i.First ? "; first " + i.First : "") + (i.Last ? ", last " + i.Last : ""),
		"Do:    " + i.ActText + ". " + i.ActReason + (i.Finding && i.Finding.NextStep ? " Next: " + i.Finding.NextStep.replace(/\n/g, " ") : ""),
		"Sure:  " + certaintyText(i),
		...(oem(e).Note ? ["Note:  " + oem(e).Note] : []),
	].join("\n") + "\n";
}

// ---- what can be done -----------------------------------------------------------------------------

async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// A page without encryption has no clipboard, but what is selected can be copied.
		const box = el("textarea", {readonly: true, "aria-label": "Text for a ticket"}, text);
		const active = document.activeElement;

		document.body.append(box);
		box.select();
		const copied = document.execCommand("copy");
		box.remove();
		if (active)
			active.focus({preventScroll: true});
		return copied;
	}
}

// The answer is shown at once; the host is read again, as after an event.
async function change(e, body, done, undo) {
	refusals.delete(e.Id);
	try {
		const now = await patch(e["@odata.id"], body);
		const {incidents} = shown.model, before = incidents.list.length;

		drafts.delete(e.Id);
		said = [done, undo && {label: "Undo", run: () => change(now, undo, "Incident " + e.Id + " is open again.")}];
		incidents.list = [...incidents.list.filter((x) => x.Id !== e.Id), ...(now.Resolved ? [] : [now])].sort(urgency);
		incidents.n += incidents.list.length - before;
		redraw();
		shown.changed();
	} catch (error) {
		if (error instanceof LoginNeeded) {
			shown.failed(error);
			return;
		}
		refusals.set(e.Id, error.message);
		redraw();
	}
}

function acknowledge(e) {
	const note = (drafts.get(e.Id) || "").trim();

	return change(e, {Oem: {CXLHost: {Acknowledged: true, ...(note ? {Note: note} : {})}}}, "Incident " + e.Id + " is acknowledged.",
		{Oem: {CXLHost: {Acknowledged: false}}});
}

function resolve(e) {
	return change(e, {Resolved: true}, "Incident " + e.Id + " is resolved, and its entries of the log with it.", {Resolved: false});
}

function drawSaid() {
	const [text, action] = said;

	replace(id("incidents-said"), text || null, action ? el("button", {type: "button", "data-key": "undo", onclick: action.run}, action.label) : null);
}

// A button that is gone gives the focus to the undoing.
function redraw() {
	drawIncidents(shown.model, shown);
	if (document.activeElement === document.body)
		(id("incidents-said").querySelector("button") || id("h-story")).focus();
}

async function copyTicket(model, e) {
	said = [await copy(ticketText(model, e)) ? "The text about incident " + e.Id + " is copied." :
		"The browser does not copy. Open \"Text for a ticket\" of incident " + e.Id + ", and copy it from there.", undefined];
	drawSaid();
}

function drawActions(model, e) {
	const name = "incident " + e.Id;
	const note = el("input", {"data-key": e.Id + " note", "aria-label": "Note about " + name, placeholder: "Note (optional)", maxlength: NOTE_MAX,
		autocomplete: "off", size: 24, oninput: (event) => drafts.set(e.Id, event.target.value)});
	const button = (key, label, run) => el("button", {type: "button", "data-key": e.Id + " " + key, "aria-label": label + ": " + name, onclick: run}, label);

	note.value = drafts.get(e.Id) || "";
	return el("form", {class: "row", onsubmit: (event) => {
		event.preventDefault();
		acknowledge(e);
	}},
	mayWrite() && !isAcknowledged(e) ? [note, el("button", {"data-key": e.Id + " acknowledge", "aria-label": "Acknowledge: " + name}, "Acknowledge")] : null,
	mayWrite() ? button("resolve", "Resolve", () => resolve(e)) : null,
	button("copy", "Copy for a ticket", () => copyTicket(model, e)));
}

// ---- drawing --------------------------------------------------------------------------------------

function pageLinks(e) {
	const pages = incidentOf(e).PagesNow || [];

	if (pages.length === 0)
		return pagesText(incidentOf(e)).replace(/^, /, "");
	return [pages.length === 1 ? "page " : "pages ", pages.slice(0, PAGES_MAX).map((p, k) => [k ? ", " : "",
		el("a", {href: "#map/at/" + p, "data-key": e.Id + " " + p}, p)]), pages.length > PAGES_MAX ? " and " + (pages.length - PAGES_MAX) + " more" : ""];
}

function where(model, e) {
	const i = incidentOf(e), d = deviceOf(model, e), pages = pageLinks(e);
	const name = deviceText(model, e);

	return [d ? [el("a", {href: "#devices/" + encodeURIComponent(d.Id), "data-key": e.Id + " device"}, d.Name), name.slice(d.Name.length)] :
		name + (isGone(model, e) ? ", which is not there now" : ""), pages.length ? [", ", pages] : null,
	el("div", {class: "small"}, (i.Place === "unknown" ? "place " : "") + i.Place + (i.PlaceEvidence ? ": " + i.PlaceEvidence : "") + "; " + certaintyText(i))];
}

// Digits behind the second are of no use to a reader.
const moment = (text) => time(text.replace(/\.\d+Z$/, "Z"));

// How the device is found stands in the open incident.
const shortAct = (i) => i.ActText.replace(/ \(.*\)$/, "");

// Records of this boot have a time on a host that runs; those of a capture may have none.
const noTime = (i) => "not known" + ((i.Rate || {}).Week ? "" : ": the device kept the records from before the boot");

function since(i) {
	const first = i.First && moment(i.First), last = i.Last && moment(i.Last);

	return first ? first + (last && last !== first ? ", last " + last : "") :
		last ? "not known, last " + last : noTime(i);
}

function facts(model, e) {
	const i = incidentOf(e), d = deviceOf(model, e), own = oem(e);
	const entries = i.Entries === null || i.Entries === undefined ? "" : many(i.Entries, "entry", "entries") + " ";

	return [
		["Where", where(model, e)], ["Do", [el("strong", {}, i.ActText + "."), " " + i.ActReason, i.Finding ? steps(i.Finding.NextStep) : null]], ["Since", since(i)], ["How often", ratesText(i)],
		["Entries", d && i.Entries !== 0 ? el("a", {href: "#log/" + encodeURIComponent(d.Id), "data-key": e.Id + " entries"},
			entries + "in the log of the device") : undefined],
		["Before", i.Previous ? "it was incident " + i.Previous : undefined],
		["Note", own.Note ? own.Note + (own.ChangedBy ? " (" + own.ChangedBy + ")" : "") : undefined],
	].filter(([, v]) => v !== undefined);
}

function body(model, e) {
	return [el("dl", {class: "facts"}, facts(model, e).map(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])), drawActions(model, e),
		refusals.has(e.Id) ? el("p", {role: "alert", class: "refused"}, refusals.get(e.Id)) : null,
		el("details", {"data-key": e.Id + " text"}, el("summary", {"data-key": e.Id + " text of it"}, "Text for a ticket"),
			el("pre", {class: "command", tabindex: "0", role: "group", "aria-label": "Text about incident " + e.Id}, ticketText(model, e)))];
}

// The worst one is open; of each other one there is a line that opens it.
function drawOne(model, e, k) {
	const i = incidentOf(e), d = deviceOf(model, e);
	const begun = i.First ? ", since " + moment(i.First) : "";
	const head = el("h3", {}, badge(e.Severity), " " + countText(e), el("span", {class: "small"},
		k ? " " + (d ? d.Name : ownerText(i)) + pagesText(i) + begun + "; to do: " + shortAct(i) + ";" : "", " incident " + e.Id + ", " + i.State +
		(isAcknowledged(e) && oem(e).ChangedBy ? " by " + oem(e).ChangedBy : "")));

	return el("li", {"data-incident": e.Id, "data-state": i.State}, k === 0 ? [head, body(model, e)] :
		el("details", {"data-key": e.Id + " all"}, el("summary", {"data-key": e.Id + " all of it"}, head), body(model, e)));
}

// Other things than errors may be wrong.
function nextFindings(model) {
	const n = listFindings(model).filter((f) => rank(f.severity) > 0).length;

	return n === 0 ? null : [" ", el("a", {href: "#findings", "data-key": "to findings"}, many(n, "finding")), n === 1 ? " needs a look." : " need a look."];
}

// After the first ones the others are folded, so that the rest of the page is near.
function drawList(model, list) {
	const items = list.map((e, k) => drawOne(model, e, k)), more = items.splice(LINES_MAX);
	const lines = (nodes) => el("ol", {class: "findings incidents"}, nodes);

	return more.length === 0 ? lines(items) : el("div", {}, lines(items),
		el("details", {"data-key": "more"}, el("summary", {"data-key": "more of them"}, many(more.length, "more incident")), lines(more)));
}

// `changed` reads the host again; `failed` gets the end of a session.
export function drawIncidents(model, {changed, failed}) {
	const {list, n, why} = model.incidents;

	shown = {model, changed, failed};
	for (const map of [drafts, refusals])
		for (const key of map.keys())
			if (!list.some((e) => e.Id === key))
				map.delete(key);
	drawSaid();
	replace(id("incidents"),
		why ? el("p", {}, "Incidents are not known: " + why) :
			n === 0 ? el("p", {}, "No incident is open.", nextFindings(model)) : drawList(model, list),
		n > list.length ? el("p", {class: "small"}, "The " + list.length + " worst of " + many(n, "open incident") + " are shown; cxl-spa triage on the host has all.") : null);
	id("h-story").textContent = n ? many(n, "open incident") : "Incidents";
}

export function clearIncidents() {
	drafts.clear();
	refusals.clear();
	said = ["", undefined];
	shown = undefined;
	replace(id("incidents"));
	replace(id("incidents-said"));
	id("h-story").textContent = "Incidents";
}
