// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Devices with health, temperature, wear and counters, and charts of the last 24 hours by the history of the
// service; where it keeps none, since the page was opened.

import {badge, clock, el, id, replace, row, size, sortable, svg, table, time} from "./dom.js";
import {entriesLink, entriesOf} from "./findings.js";
import {dayOf, forgetDays, health, link, oem, readSlot} from "./model.js";
import {get, here, optional, query} from "./redfish.js";

const SAMPLES = 360;

// Each with its present value and with the metric of its history.
const VALUES = [
	["Temperature", "°C", (d) => ((d.EnvironmentMetrics || {}).TemperatureCelsius || {}).Reading, "TemperatureCelsius"],
	["Life used", "%", (d) => (d.Metrics || {}).CapacityUtilizationPercent, "LifeUsedPercent"],
	["Corrected, volatile", "", (d) => (d.Metrics || {}).CorrectedVolatileErrorCount, "CorrectedVolatileErrorCount"],
	["Corrected, persistent", "", (d) => (d.Metrics || {}).CorrectedPersistentErrorCount, "CorrectedPersistentErrorCount"],
	["Dirty shutdowns", "", (d) => (d.Metrics || {}).DirtyShutdownCount, "DirtyShutdownCount"],
];

// The table of the devices has no link.
const CHARTS = [
	...VALUES,
	["Lanes of the link", "", () => undefined, "LinkWidth"],
	["Speed of a lane", "GT/s", () => undefined, "LinkSpeedGTs"],
];

const history = new Map(); // by URI: samples {at, values}
let opened = Date.now();   // since when they are those of this login
let turn = 0;		   // of the newest drawing: an older one does not replace it

export function clearDevices() {
	history.clear();
	forgetDays();
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
			el("span", {"data-sort": String(d.CapacityMiB || 0)}, size(BigInt(d.CapacityMiB || 0) * 1048576n)),
			d.regions.map((r) => r.Name).join(", ") || "none",
			d.SerialNumber || "–",
			(oem(d).PCIFunction || {}).Address || "–",
		], {"data-uri": d.uri}));

	replace(id("device-table"), ...sortable("Memory devices; – is what a device does not report",
		["Device", "Health", "Temperature", "Life used", "Corrected errors, volatile", "Corrected errors, persistent",
			"Dirty shutdowns", "Capacity", "Regions", "Serial number", "PCI"], rows));
	id("n-devices").textContent = "(" + model.devices.length + ")";
}

// Samples of the last 24 hours, in their order, and the distance beyond which one is missing between two. Without a
// history those of this page, of which none is.
async function readHistory(d) {
	const report = await dayOf(d);
	const interval = 1000 * (oem(report).IntervalSeconds || 600), byTime = new Map();

	for (const v of report.MetricValues || []) {
		const k = CHARTS.findIndex(([, , , metric]) => metric === v.MetricId), at = Date.parse(v.Timestamp);

		if (k < 0 || isNaN(at))
			continue;
		if (!byTime.has(at))
			byTime.set(at, []);
		byTime.get(at)[k] = Number(v.MetricValue);
	}
	if (byTime.size === 0)
		return {samples: history.get(d.uri) || [], apart: Infinity, text:
			"The service has no history of these values: the lines begin when this page was opened, at " + clock(opened) + "."};
	return {samples: [...byTime].map(([at, values]) => ({at, values})), apart: 1.5 * interval, text:
		"The last 24 hours, by the history of the service: a sample every " + (interval < 120000 ? interval / 1000 + " seconds" :
			interval / 60000 + " minutes") + "; a line is broken where one is missing."};
}

// Samples without a missing one between them are a line.
function lines(points, apart) {
	const all = [];

	for (const s of points) {
		const last = all[all.length - 1];

		if (last && s.at - last[last.length - 1].at <= apart)
			last.push(s);
		else
			all.push([s]);
	}
	return all;
}

// Lines over the samples. Their text has the range and the last value.
function plot(name, unit, {samples, apart}, k) {
	const points = samples.filter((s) => typeof s.values[k] === "number");

	if (points.length === 0)
		return null;
	const values = points.map((s) => s.values[k]);
	const low = Math.min(...values), high = Math.max(...values);
	const from = points[0].at, span = Math.max(1, points[points.length - 1].at - from);
	const x = (s) => (2 + 196 * (s.at - from) / span).toFixed(1);
	const y = (s) => (high === low ? 24 : 44 - 40 * (s.values[k] - low) / (high - low)).toFixed(1);
	const drawn = lines(points, apart);
	const text = name + ": " + show(values[values.length - 1], unit) + ", since " +
		time(new Date(from).toISOString().slice(0, 19) + "Z") + " between " + low + " and " + show(high, unit) +
		(drawn.length > 1 ? ", with gaps" : "");

	return el("figure", {},
		svg("svg", {viewBox: "0 0 200 48", width: 200, height: 48, role: "img", "aria-label": text},
			svg("line", {class: "axis", x1: 2, y1: 46, x2: 198, y2: 46}),
			drawn.map((line) => line.length > 1 ?
				svg("polyline", {class: "plot", points: line.map((s) => x(s) + "," + y(s)).join(" ")}) :
				svg("circle", {class: "dot", cx: x(line[0]), cy: y(line[0]), r: 3}))),
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
	const [whole, past, entries] = await Promise.all([
		get(d.uri),
		readHistory(d),
		optional(get(query(here.system + "/Memory/" + encodeURIComponent(d.Id) + "/DeviceLog/Entries", {top: 1})), undefined),
		readSlot(d),
	]);

	if (mine !== turn)
		return;
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
		el("p", {class: "small"}, past.text),
		el("div", {class: "plots"}, CHARTS.map(([n, unit], k) => plot(n, unit, past, k))),
		alerts(d.Metrics || {}),
		decoders.length ? table("Decoders in use", ["Decoder", "Mapping", "Device addresses", "Size", "Region"],
			decoders.map((x) => row([x.KernelName, x.Mapping, x.DevicePhysicalAddress || "–",
				size(x.DevicePhysicalSizeBytes || 0), (link(x.MemoryChunks) || "–").split("/").pop()]))) : null);
}
