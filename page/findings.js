// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Findings and their next steps: the Conditions of all resources, and the findings about the host, which "cxl-spa
// explain" prints, too, each once, the worst first.

import {badge, el, id, rank, replace} from "./dom.js";
import {health, link, oem} from "./model.js";

// The related resource has the reason of such a condition.
function isPointer(c) {
	return (c.MessageId || "").endsWith(".ConditionInRelatedResource");
}

// The list of incidents above all sections has more about each.
function isSaid(model, c) {
	return !model.incidents.why && /\/LogServices\/Incidents\//.test(link(c.LogEntry) || "");
}

// The code of a finding and the name of its message are the same words.
const nameOfCode = (code) => code.replace(/_/g, "").toLowerCase();
const nameOfMessage = (id) => (id || "").replace(/^.*\./, "").toLowerCase();

// An incident has the finding, or its text has it as the reason. Another finding of the same code, whose text is not
// there, is none. A condition of a device names its incident a moment after it began.
function isIncident(model, f, uri, name) {
	const text = (f.Message || "").replace(/\.$/, "").toLowerCase();

	return !model.incidents.why && model.incidents.list.some((e) => {
		const {Finding: found, Kind: kind} = oem(e).Incident || {};

		return found && (found.ObjectName === name || (uri && link((e.Links || {}).OriginOfCondition) === uri)) &&
			((text && found.Text.toLowerCase().includes(text)) ||
			(kind !== "configuration" && nameOfCode(found.Code) === nameOfMessage(f.MessageId)));
	});
}

// The place where the log shows the entries of a condition about unresolved ones.
export function entriesOf(x, c) {
	const kind = (c.MessageArgs || [])[1];

	return /\.UnresolvedEvents$/.test(c.MessageId || "") && /^\w+$/.test(kind || "") && x.SerialNumber !== undefined ?
		"#log/" + encodeURIComponent(x.Id) + "/" + c.MessageId.replace(/\w+$/, kind) : undefined;
}

export function entriesLink(href) {
	return href ? el("p", {}, el("a", {href, "data-key": href}, "These entries of the log")) : null;
}

// Where the page shows an object, if it does.
function placeOf(model, f) {
	const x = model.byUri.get(f.uri);

	if (!x)
		return undefined;
	const section = model.devices.includes(x) ? "devices" : x.base !== undefined ? "map" : "topology";

	return "#" + section + "/" + encodeURIComponent(section === "topology" ? x.uri : x.Id);
}

function nameOf(model, f) {
	const href = placeOf(model, f);

	return href ? el("a", {href, "data-key": f.uri + " " + (f.code || f.messageId) + f.text}, f.name) : el("strong", {}, f.name);
}

export function listFindings(model) {
	const all = [];
	const seen = new Set();
	const ports = [...model.bridges, ...model.switches].flatMap((x) => x.ports);

	for (const x of [model.manager, ...model.devices, ...model.regions, ...model.windows, ...model.switches,
		...model.bridges, ...ports, model.system])
		for (const c of (x.Status && x.Status.Conditions) || []) {
			const key = x["@odata.id"] + c.MessageId + (c.Message || "");

			if (isPointer(c) || isSaid(model, c) || isIncident(model, c, x["@odata.id"], x.Name) || seen.has(key))
				continue;
			seen.add(key);
			all.push({severity: c.Severity, name: x.Name, uri: x["@odata.id"],
				messageId: c.MessageId, text: c.Message, step: c.Resolution,
				log: entriesOf(x, c)});
		}
	// A finding that is also a Condition is there already, by the same message of the same resource.
	// Several of the same message are in the same order.
	const conditions = new Map();

	for (const f of all) {
		const key = f.uri + " " + f.messageId;

		conditions.set(key, [...(conditions.get(key) || []), f]);
	}

	for (const f of oem(model.system).Findings || []) {
		const uri = link(f.OriginOfCondition);

		if (isSaid(model, f) || isIncident(model, f, uri, f.ObjectName))
			continue;
		const same = f.MessageId && (conditions.get(uri + " " + f.MessageId) || []).shift();

		if (same)
			same.step = f.Resolution || same.step;
		else
			all.push({severity: f.Severity, name: f.ObjectName, uri, code: f.Code, text: f.Message + (f.MessageId ? "" : "."),
				step: f.Resolution});
	}
	return all.sort((a, b) => rank(b.severity) - rank(a.severity));
}

// Lines of a step that are commands are behind a sentence, and are kept as they are, to be copied.
const COMMAND = /^(?:cxl|daxctl|ndctl|echo|modprobe|dmesg|acpidump|lspci|chmod)\s/;

export function steps(text) {
	return (text || "").split("\n").filter(Boolean).map((line, i) => COMMAND.test(line) ?
		el("pre", {class: "command", tabindex: "0", role: "group", "aria-label": "Command"}, line) :
		el("p", {class: "step"}, el("b", {}, i === 0 ? "Next: " : "Then: "), line));
}

export function drawFindings(model) {
	const all = listFindings(model);
	const left = oem(model.system).FindingsNotListed;
	const unknown = model.devices.filter((d) => !health(d)).length;

	id("n-findings").textContent = all.length ? "(" + all.length + ")" : "";
	replace(id("finding-list"),
		all.length === 0 ? el("p", {}, "Nothing is wrong that the service knows of.") :
			el("ol", {class: "findings"}, all.map((f) => el("li", {"data-uri": f.uri, "data-code": f.code || f.messageId},
				el("p", {}, badge(f.severity), " ", nameOf(model, f), ": ", f.text),
				entriesLink(f.log),
				steps(f.step)))),
		left ? el("p", {class: "small"}, left + " more findings are not listed by the service; cxl-spa explain on the host has all.") : null,
		unknown ? el("p", {class: "small"}, unknown + " of " + model.devices.length +
			" devices report no health: their mailboxes are not read, or have not answered.") : null);
}
