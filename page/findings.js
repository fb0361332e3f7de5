// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What is wrong, and the next step: the Conditions of all resources, each once, the worst first.

import {badge, el, id, rank, replace} from "./dom.js";
import {health} from "./model.js";

// Of a condition in a related resource, the related resource has the reason.
function isPointer(c) {
	return (c.MessageId || "").endsWith(".ConditionInRelatedResource");
}

export function listFindings(model) {
	const all = [];
	const seen = new Set();
	const ports = [...model.bridges, ...model.switches].flatMap((x) => x.ports);

	for (const x of [model.manager, ...model.devices, ...model.regions, ...model.windows, ...model.switches,
		...model.bridges, ...ports, model.system])
		for (const c of (x.Status && x.Status.Conditions) || []) {
			const key = x["@odata.id"] + c.MessageId + (c.Message || "");

			if (isPointer(c) || seen.has(key))
				continue;
			seen.add(key);
			all.push({severity: c.Severity, name: x.Name, uri: x["@odata.id"],
				text: c.Message, step: c.Resolution});
		}
	return all.sort((a, b) => rank(b.severity) - rank(a.severity));
}

export function drawFindings(model) {
	const all = listFindings(model);
	const unknown = model.devices.filter((d) => !health(d)).length;

	id("n-findings").textContent = all.length ? "(" + all.length + ")" : "";
	replace(id("finding-list"),
		all.length === 0 ? el("p", {}, "Nothing is wrong that the service knows of.") :
			el("ol", {class: "findings"}, all.map((f) => el("li", {"data-uri": f.uri},
				el("p", {}, badge(f.severity), " ", el("strong", {}, f.name), ": ", f.text),
				f.step ? el("p", {class: "step"}, el("b", {}, "Next: "), f.step) : null))),
		unknown ? el("p", {class: "small"}, unknown + " of " + model.devices.length +
			" devices report no health: their mailboxes are not read, or have not answered.") : null);
}
