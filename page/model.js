// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The objects that the page shows, read from the service: windows, regions, devices, bridges, switches. Links
// between them come from the service; nothing is derived from names.

import {ROOT, each, get, here, members, optional, query, serviceNow} from "./redfish.js";

const PORT = "Id,Name,PortType,LinkStatus,Status,Links,CXL/ConnectedDeviceType,Oem/CXLHost/KernelName," +
	"Oem/CXLHost/HostBridge";
const DEVICE = "Id,Name,CapacityMiB,SerialNumber,FirmwareRevision,Status,Metrics,EnvironmentMetrics," +
	"Links/Chassis,Oem/CXLHost/KernelName,Oem/CXLHost/PCIFunction/Address,Oem/CXLHost/NUMANode";
const WINDOW = "Id,Name,Status,Links,Oem/CXLHost";
const REGION = "Id,Name,Status,InterleaveSets,Oem/CXLHost";

export const HOURS = 24; // of the strip of errors
const HOUR_MS = 3600000;
const ERRORS_MAX = 500, PAGE = 100; // entries that are read for it
const DAY_MS = 600000, DAYS_MAX = 64; // how long the readings of a device are kept, and of how many they are read at once
const COUNTERS = ["CorrectedVolatileErrorCount", "CorrectedPersistentErrorCount"];

export const COLOURS = 8; // of regions, as style.css has them

export function link(x) {
	return x ? x["@odata.id"] : undefined;
}

export function oem(x) {
	return (x.Oem && x.Oem.CXLHost) || {};
}

export function big(text) {
	try {
		return text === undefined || text === null ? undefined : BigInt(text);
	} catch {
		return undefined;
	}
}

const SEVERITIES = ["OK", "Warning", "Critical"];

// A part whose health is not known leaves the whole unknown, unless another one is unhealthy.
function worst(list) {
	const known = list.filter((h) => SEVERITIES.includes(h));
	const most = known.reduce((a, b) => SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a, "OK");

	return most === "OK" && known.length < list.length ? undefined : most;
}

// HealthRollup has the resource's own Health in it. The rollup of a window has all devices which could be mapped in
// it: it is as healthy as the regions that are.
export function health(x) {
	const status = x.Status || {};

	return x.isWindow ? worst(x.regions.map(health)) : status.HealthRollup || status.Health;
}

async function readPorts(owner) {
	const uri = link(owner.Ports);

	return uri ? members(uri, PORT) : [];
}

async function readWindow(w) {
	w.uri = w["@odata.id"];
	w.isWindow = true;
	w.base = big(oem(w).BaseAddress);
	w.size = big(oem(w).SizeBytes);
	w.regions = await members(w.uri + "/MemoryChunks", REGION);
	for (const r of w.regions) {
		r.uri = r["@odata.id"];
		r.window = w;
		r.base = big(oem(r).BaseAddress);
		r.size = big(oem(r).SizeBytes);
		r.devices = (r.InterleaveSets || []).map((s) => link(s.Memory));
	}
	return w;
}

// The processors, if they are known, have the ports of the host's bridges.
async function readBridges(system) {
	const bridges = system.FabricAdapters ?
		await members(link(system.FabricAdapters), "Id,Name,Status,Ports,Oem/CXLHost/KernelName") : [];
	const processors = system.Processors ? await members(link(system.Processors), "Id,Name,Ports") : [];
	const byName = new Map();

	await each(bridges, async (b) => {
		b.ports = await readPorts(b);
	});
	for (const cpu of processors.filter((c) => c.Ports))
		for (const p of await readPorts(cpu)) {
			const name = (oem(p).HostBridge || {}).KernelName || cpu.Name;
			const known = byName.get(name);

			if (known)
				known.ports.push(p);
			else
				byName.set(name, {"@odata.id": link(cpu) + "#" + name, Id: name,
					Name: "Host bridge " + name + " of " + cpu.Name, ports: [p]});
		}
	return [...bridges, ...byName.values()];
}

async function readSwitches() {
	const fabrics = await members(ROOT + "Fabrics", "Id,Switches");
	const all = [];

	for (const f of fabrics.filter((x) => x.Switches))
		all.push(...await members(link(f.Switches), "Id,Name,Status,Ports"));
	return all;
}

// Finds the device or the switch at a port, if there is one. Returns the port once more for each further device: several
// memories may be logical devices of the one that is connected.
function connect(model, port) {
	const links = port.Links || {};

	port.uri = port["@odata.id"];
	model.byUri.set(port.uri, port);
	port.switch = (links.ConnectedSwitches || []).map((s) => model.byUri.get(link(s)))
		.find((s) => s);
	const found = (links.ConnectedPorts || []).flatMap((p) =>
		model.byChassis.get((link(p) || "").split("/").slice(0, 5).join("/")) || []);

	port.device = found[0];
	for (const device of found)
		device.placed = true;
	if (port.switch)
		port.switch.placed = true;
	return found.slice(1).map((device) => ({...port, device}));
}

function assemble(model) {
	model.byUri = new Map();
	model.byChassis = new Map();
	model.regions = model.windows.flatMap((w) => w.regions);
	for (const x of [...model.devices, ...model.switches, ...model.bridges, ...model.windows,
		...model.regions]) {
		x.uri = x["@odata.id"];
		model.byUri.set(x.uri, x);
	}
	model.regions.forEach((r, i) => {
		r.colour = i % COLOURS;
	});
	for (const d of model.devices) {
		d.regions = [];
		if (d.Links && d.Links.Chassis)
			model.byChassis.set(link(d.Links.Chassis), [...model.byChassis.get(link(d.Links.Chassis)) || [], d]);
	}
	for (const r of model.regions)
		for (const uri of new Set(r.devices)) {
			const d = model.byUri.get(uri);

			if (d)
				d.regions.push(r);
		}
	for (const owner of [...model.bridges, ...model.switches])
		// An upstream port leads to where the switch itself is.
		owner.ports = owner.ports.flatMap((p) => p.PortType === "UpstreamPort" ? [p] : [p, ...connect(model, p)]);
	model.unplaced = [...model.devices, ...model.switches].filter((d) => !d.placed);
	return model;
}

// Entries of the last 24 hours by device and hour, the last hour at the end: the worst severity of each, and their numbers. The
// newest of a long log are read; hours before these are not known.
async function readErrors() {
	const now = serviceNow(), from = now - HOURS * HOUR_MS, byDevice = new Map();
	const filter = "Created ge '" + new Date(from).toISOString().slice(0, 19) + "Z'";
	const log = here.system + "/LogServices/CXL/Entries";
	const count = (await optional(get(query(log, {filter, top: 1, select: "Id"})), {}))["Members@odata.count"];
	let unread = count === undefined ? HOURS : 0;
	const skip = Math.max(0, (count || 0) - ERRORS_MAX);
	const hourOf = (e) => Math.min(HOURS - 1, Math.floor((Date.parse(e.Created) - from) / HOUR_MS));

	const pages = Array.from({length: Math.ceil(((count || 0) - skip) / PAGE)}, (_, k) => skip + k * PAGE);
	const read = await each(pages, (at) => optional(get(query(log, {filter, skip: at || undefined, top: PAGE,
		select: "Created,Severity,Links/OriginOfCondition"})), {Members: []}));
	const entries = read.flatMap((page) => page.Members);

	if (skip && entries.length)
		unread = Math.min(...entries.map(hourOf)) + 1;
	for (const e of entries) {
		const uri = link((e.Links || {}).OriginOfCondition), h = hourOf(e);

		if (!byDevice.has(uri))
			byDevice.set(uri, Array.from({length: HOURS}, () => ({n: 0, severity: undefined})));
		const hour = byDevice.get(uri)[h];

		if (!hour)
			continue;
		hour.n++;
		if (SEVERITIES.indexOf(e.Severity) > SEVERITIES.indexOf(hour.severity))
			hour.severity = e.Severity;
	}
	return {byDevice, unread};
}

// ---- the history of readings ----------------------------------------------------------------------

const days = new Map(); // by URI of a device: {at, samples}

export function forgetDays() {
	days.clear();
}

// The readings of a device in the last 24 hours, as the service keeps them.
export function dayOf(d) {
	return optional(get(ROOT + "TelemetryService/MetricReports/" + encodeURIComponent(d.Id) + "-Day"), {});
}

// Samples in their order: {at, counts}, with undefined for a counter that was not read.
function samplesOf(report) {
	const byTime = new Map();

	for (const v of report.MetricValues || []) {
		const at = Date.parse(v.Timestamp), k = COUNTERS.indexOf(v.MetricId);

		if (isNaN(at))
			continue;
		if (!byTime.has(at))
			byTime.set(at, {at, counts: []});
		if (k >= 0)
			byTime.get(at).counts[k] = Number(v.MetricValue);
	}
	return [...byTime.values()].sort((a, b) => a.at - b.at);
}

// Reads the history of devices whose readings are old, the oldest first. Return: whether there are new ones.
export async function readDays(model) {
	const now = Date.now(), age = (d) => now - (days.get(d.uri) || {at: -Infinity}).at;
	const due = model.devices.filter((d) => age(d) >= DAY_MS).sort((a, b) => age(b) - age(a)).slice(0, DAYS_MAX);

	await each(due, async (d) => {
		days.set(d.uri, {at: now, samples: samplesOf(await dayOf(d))});
	});
	return due.length > 0;
}

// By hour, the last one at the end: whether there are readings, and the corrected errors that the device has counted. A counter that
// is less than before has begun anew. Return: undefined without any reading.
export function countedOf(d) {
	const samples = (days.get(d.uri) || {samples: []}).samples, from = serviceNow() - HOURS * HOUR_MS;
	const hours = Array.from({length: HOURS}, () => ({n: 0, isRead: false}));
	let last = [];

	for (const s of samples) {
		const hour = hours[Math.min(HOURS - 1, Math.floor((s.at - from) / HOUR_MS))];
		const more = COUNTERS.reduce((n, _, k) => n + Math.max(0, (s.counts[k] - last[k]) || 0), 0);

		last = COUNTERS.map((_, k) => s.counts[k] ?? last[k]);
		if (!hour)
			continue;
		hour.isRead = true;
		hour.n += more;
	}
	return hours.some((h) => h.isRead) ? hours : undefined;
}

export async function readModel() {
	const system = await get(query(here.system, {
		select: "Name,Status,Oem/CXLHost,HostName,FabricAdapters,Processors,OperatingSystem"}));
	const [bridges, windows, devices, switches, manager, os, errors] = await Promise.all([
		readBridges(system),
		members(here.system + "/MemoryDomains", WINDOW),
		members(here.system + "/Memory", DEVICE, 2),
		readSwitches(),
		get(query(here.manager, {select: "Name,Status,FirmwareVersion"})),
		get(link(system.OperatingSystem)),
		readErrors(),
	]);

	await each(windows, readWindow);
	await each(switches, async (x) => {
		x.ports = await readPorts(x);
	});
	return assemble({system, bridges, windows, devices, switches, manager, os, errors});
}

// The slot that a device is plugged into; "" if it is in none that is known.
export async function readSlot(d) {
	if (d.slot !== undefined || !(d.Links && d.Links.Chassis))
		return;
	const found = await optional(get(query(link(d.Links.Chassis) + "/PCIeDevices", {expand: ".($levels=1)", select: "Slot", top: 1})),
		{Members: []});

	d.slot = ((((found.Members[0] || {}).Slot || {}).Location || {}).PartLocation || {}).ServiceLabel || "";
}

// A device by the serial number of a kernel's record, and by its name, identifier or PCI address.
// Names change from boot to boot: one whose serial number is another one is not the device. Return:
// undefined also when several may be meant.
export function findDevice(model, name, serial) {
	const named = (list) => list.find((d) => name && (d.Id === name || oem(d).KernelName === name ||
		(oem(d).PCIFunction || {}).Address === name));

	if (serial === undefined)
		return named(model.devices);
	const of = (d) => d.SerialNumber === undefined ? undefined : big("0x" + d.SerialNumber);
	const same = model.devices.filter((d) => of(d) === BigInt(serial));

	return same.length === 1 ? same[0] :
		named(same.length ? same : model.devices.filter((d) => of(d) === undefined));
}
