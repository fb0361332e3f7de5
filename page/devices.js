// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Devices with health, temperature, wear and counters, and how those changed since the page was
// opened: the service keeps no history of them.

import {badge, clock, el, id, replace, row, size, svg, table, time} from "./dom.js";
import {entriesLink, entriesOf} from "./findings.js";
import {health, link, oem, readSlot} from "./model.js";
import {SYSTEM, get, optional, query} from "./redfish.js";

const SAMPLES = 360;

const VALUES = [
	["Temperature", "°C", (d) => ((d.EnvironmentMetrics || {}).TemperatureCelsius || {}).Reading],
	["Life used", "%", (d) => (d.Metrics || {}).CapacityUtilizationPercent],
	["Corrected, volatile", "", (d) => (d.Metrics || {}).CorrectedVolatileErrorCount],
	["Corrected, persistent", "", (d) => (d.Metrics || {}).CorrectedPersistentErrorCount],
	["Dirty shutdowns", "", (d) => (d.Metrics || {}).DirtyShutdownCount],
];

const history = new Map(); // by URI: samples {at, values}
let opened = Date.now();   // since when they are those of this login
let turn = 0;		   // of the newest drawing: an older one does not replace it

export function clearDevices() {
	history.clear();
	opened = Date.now();
	turn++;
	replace(id("device-detail"));
	replace(id("device-table"));
	id("n-devices").textContent = "";
}

export function sample(model) {
	for (const uri of history.keys())
		if (!model.byUri.has(uri))
			history.delete(uri);
	for (const d of model.devices) {
		const list = history.get(d.uri) || [];

		list.push({at: Date.now(), values: VALUES.map(([, , of]) => of(d))});
		if (list.length > SAMPLES)
			list.shift();
		history.set(d.uri, list);
	}
}

function show(value, unit) {
	return value === undefined || value === null ? "–" : value + (unit ? " " + unit : "");
}

export function drawDevices(model) {
	const rows = [...model.devices].sort((a, b) => a.Name.localeCompare(b.Name, "en", {numeric: true}))
		.map((d) => row([
			el("a", {href: "#devices/" + encodeURIComponent(d.Id), "data-key": d.uri}, d.Name),
			badge(health(d)),
			...VALUES.map(([, unit, of]) => show(of(d), unit)),
			size(BigInt(d.CapacityMiB || 0) * 1048576n),
			d.regions.map((r) => r.Name).join(", ") || "none",
			d.SerialNumber || "–",
			(oem(d).PCIFunction || {}).Address || "–",
		], {"data-uri": d.uri}));

	replace(id("device-table"), table("Memory devices; – is what a device does not report",
		["Device", "Health", "Temperature", "Life used", "Corrected errors, volatile", "Corrected errors, persistent",
			"Dirty shutdowns", "Capacity", "Regions", "Serial number", "PCI"], rows));
	id("n-devices").textContent = "(" + model.devices.length + ")";
}

// A line over the samples. Its text has the first and the last value; the table below all changes.
function plot(name, unit, samples, k) {
	const points = samples.filter((s) => typeof s.values[k] === "number");

	if (points.length === 0)
		return null;
	const values = points.map((s) => s.values[k]);
	const low = Math.min(...values), high = Math.max(...values);
	const from = points[0].at, span = Math.max(1, points[points.length - 1].at - from);
	const text = name + ": " + show(values[values.length - 1], unit) + ", since " +
		clock(from) + " between " + low + " and " + show(high, unit);
	const line = points.map((s) => (2 + 196 * (s.at - from) / span).toFixed(1) + "," +
		(high === low ? 24 : 44 - 40 * (s.values[k] - low) / (high - low)).toFixed(1)).join(" ");

	return el("figure", {},
		svg("svg", {viewBox: "0 0 200 48", width: 200, height: 48, role: "img", "aria-label": text},
			svg("line", {class: "axis", x1: 2, y1: 46, x2: 198, y2: 46}),
			points.length > 1 ? svg("polyline", {class: "plot", points: line}) :
				svg("circle", {class: "dot", cx: 4, cy: 24, r: 3})),
		el("figcaption", {}, text));
}

function alerts(metrics) {
	const list = Object.entries(((metrics.Oem || {}).CXLHost || {}).Alerts || {});

	return list.length === 0 ? null : table("Thresholds of the device",
		["Value", "Warning at", "Critical at"],
		list.map(([name, a]) => row([name, show(a.WarningThreshold), show(a.CriticalThreshold)])));
}

export async function drawDevice(model, name) {
	const place = id("device-detail");
	const mine = ++turn;
	const d = model.devices.find((x) => x.Id === name);

	if (!d) {
		replace(place, name ? el("p", {class: "notice"}, "This host has no device " + name + ".") : null);
		return;
	}
	const [whole, entries] = await Promise.all([
		get(d.uri),
		optional(get(query(SYSTEM + "/Memory/" + encodeURIComponent(d.Id) + "/DeviceLog/Entries", {top: 1})), undefined),
		readSlot(d),
	]);

	if (mine !== turn)
		return;
	const samples = history.get(d.uri) || [];
	const facts = [
		["Kernel name", oem(whole).KernelName], ["Serial number", whole.SerialNumber],
		["PCI function", (oem(whole).PCIFunction || {}).Address], ["Slot", d.slot],
		["Firmware", whole.FirmwareRevision], ["Security", whole.SecurityState],
		["Volatile", whole.VolatileSizeMiB !== undefined ? size(BigInt(whole.VolatileSizeMiB) * 1048576n) : undefined],
		["Persistent", whole.NonVolatileSizeMiB !== undefined ? size(BigInt(whole.NonVolatileSizeMiB) * 1048576n) : undefined],
		["Entries in the log", entries ? el("a", {href: "#log/" + encodeURIComponent(d.Id)}, entries["Members@odata.count"]) : undefined],
		["Path to firmware", (oem(whole).Firmware || {}).Text],
		["Read", time(oem(whole).ReadingTime)],
	].filter(([, v]) => v !== undefined && v !== "");
	const conditions = (whole.Status || {}).Conditions || [];
	const decoders = (oem(whole).Decoders || []).filter((x) => x.Mapping !== "idle");

	replace(place,
		el("h3", {}, d.Name, " ", badge(health(whole))),
		conditions.length ? el("ul", {class: "findings"}, conditions.map((c) => el("li", {},
			badge(c.Severity), " ", c.Message, entriesLink(entriesOf(whole, c)), c.Resolution ? el("p", {class: "step"}, el("b", {}, "Next: "), c.Resolution) : null))) : null,
		el("dl", {class: "facts"}, facts.map(([k, v]) => [el("dt", {}, k), el("dd", {}, v instanceof Node ? v : String(v))])),
		el("p", {class: "small"}, "The service keeps no history of these values: the lines begin when this page was opened, at " +
			clock(opened) + "."),
		el("div", {class: "plots"}, VALUES.map(([n, unit], k) => plot(n, unit, samples, k))),
		alerts(d.Metrics || {}),
		decoders.length ? table("Decoders in use", ["Decoder", "Mapping", "Device addresses", "Size", "Region"],
			decoders.map((x) => row([x.KernelName, x.Mapping, x.DevicePhysicalAddress || "–",
				size(x.DevicePhysicalSizeBytes || 0), (link(x.MemoryChunks) || "–").split("/").pop()]))) : null);
}
