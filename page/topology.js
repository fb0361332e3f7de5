// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The drawing: windows with their regions as bars of addresses, and below them each host bridge with
// what is at its ports, a switch as a box of its own. A region has the same colour everywhere.

import {badge, clip as shorten, el, hex, id, many, mark, present, replace, roving, row, size, sortable, svg} from "./dom.js";
import {COLOURS, HOURS, countedOf, health, oem} from "./model.js";

const TILE = {w: 132, h: 96, gap: 8};
const STRIP = {y: 58, h: 14};
const PAD = 10, TITLE = 24, BAR = 34, GUTTER = 12, BELOW = 18;
const PIN = "◎ ";

// The letters are about 7.2 wide, those of a name 7.8.
function clip(text, width) {
	return shorten(text, Math.floor(width / 7.2));
}

// A label begins with the words that are seen, also when these are cut.
function labelOf(full, ...seen) {
	return full.startsWith(seen.join(", ")) ? full : seen.join(" ") + ", " + full;
}

function words(x) {
	return (health(x) || "health not known") +
		(x.Status && x.Status.State ? ", " + x.Status.State : "");
}

// ---- what is drawn ----------------------------------------------------------------------------

// A located object has two lines around it, of no colour that a region has, and a sign in its name.
function frame(drawing, x, w, h, y = 0) {
	return !drawing.found.has(x.uri) ? null : ["halo", "ring"].map((name) =>
		svg("rect", {class: name, x: 2.5, y: y + 2.5, width: Math.max(1, w - 5), height: h - 5, rx: 3}));
}

function pin(drawing, x) {
	return drawing.found.has(x.uri) ? PIN : "";
}

function item(drawing, x, kind, label, place, ...shapes) {
	return svg("g", {
		"data-item": true, "data-kind": kind, "data-uri": x.uri, "data-key": x.uri,
		"data-name": x.Name, "data-health": health(x), "data-id": x.Id, role: "button",
		"aria-label": (drawing.found.has(x.uri) ? "located: " : "") + label,
		class: "item " + kind + " h-" + (health(x) || "none").toLowerCase() +
			(drawing.found.has(x.uri) ? " found" : ""),
		transform: "translate(" + place.x + "," + place.y + ")",
		onclick: () => drawing.open(kind, x),
	}, svg("title", {}, label), shapes);
}

// The name of a region whose bar is too narrow for it is below the bar, if there is space.
function drawRegion(drawing, r, place) {
	const w = place.w;
	const text = pin(drawing, r) + mark(health(r)) + " " + r.Name;
	const shown = clip(text, place.below ? place.below.w : w - 12);
	const label = labelOf(r.Name + ", " + size(r.size ?? 0n) + " at " +
		(r.base === undefined ? "an address that is not known" : hex(r.base)) + ", " +
		many(r.devices.length, "device") + ", " + words(r), shown.replace(/^(?:◎ )?\S /, ""));

	return item(drawing, r, "region", label, place,
		svg("rect", {class: "fill c" + r.colour, width: w, height: BAR, rx: 3}),
		frame(drawing, r, w, BAR),
		place.below ? svg("text", {class: "small", x: place.below.x, y: BAR + 15}, shown) :
			w > 44 ? svg("text", {class: "on", x: 8, y: 21}, shown) : null);
}

function drawWindow(drawing, w, x, y, width) {
	const inner = width - 2;
	const share = (n) => w.size ? Number(n * 100000n / w.size) / 100000 : 0;
	const title = w.Name + "  " + size(w.size ?? 0n) + (w.base === undefined ? "" : " at " + hex(w.base));
	const label = labelOf(title + (w.base === undefined ? ", at an address that is not known" : "") + ", window, " +
		many(w.regions.length, "region") + ", " + words(w), clip(title, width - 24));
	const shapes = [
		svg("text", {class: "name", x: 0, y: 15}, pin(drawing, w), svg("tspan", {class: "mark"}, mark(health(w)) + " "),
			clip(title, width - 24)),
		svg("rect", {class: "free", y: 20, width, height: BAR + 2, rx: 3}), frame(drawing, w, width, BAR + 2, 20)];
	const nodes = [item(drawing, w, "window", label, {x, y}, shapes)];
	const places = w.regions.map((r) => {
		// A region that is too small to be seen is drawn larger than it is.
		const wide = Math.max(14, share(r.size ?? 0n) * inner);
		const at = r.base === undefined || w.base === undefined ? 0 : share(r.base - w.base) * inner;

		return {x: x + 1 + Math.max(0, Math.min(at, inner - wide)), y: y + 21, w: wide};
	});
	const below = placeNames(w.regions, places, x, width);

	w.regions.forEach((r, i) => nodes.push(drawRegion(drawing, r, places[i])));
	return {nodes, height: 20 + BAR + 2 + (below ? BELOW : 0)};
}

// Gives the names of narrow regions a place below the bar, from left to right, as long as there is one.
// Return: whether there is such a name.
function placeNames(regions, places, x, width) {
	const narrow = regions.map((r, i) => ({name: r.Name, place: places[i]})).filter((n) => n.place.w < 8 * (n.name.length + 3))
		.sort((a, b) => a.place.x - b.place.x);
	let free = x;

	narrow.forEach((n, i) => {
		const want = Math.min(7.2 * (n.name.length + 5), width);
		const after = narrow.slice(i + 1).length && narrow[i + 1].place.x;
		const at = Math.max(free, Math.min(n.place.x, x + width - want));
		const space = Math.min(x + width, Math.max(after || 0, at + want)) - at;

		if (space < 40)
			return;
		n.place.below = {x: at - n.place.x, w: Math.min(space, want)};
		free = at + n.place.below.w + 6;
	});
	return narrow.some((n) => n.place.below);
}

function capacityText(d) {
	return size(BigInt(d.CapacityMiB || 0) * 1048576n);
}

function temperatureText(d) {
	const t = ((d.EnvironmentMetrics || {}).TemperatureCelsius || {}).Reading;

	return t === undefined || t === null ? "" : t + " °C";
}

// Errors that the device has counted and corrected, by the history of its readings.
function countedText(counted) {
	if (!counted)
		return "no history of its counters";
	const n = counted.reduce((sum, h) => sum + h.n, 0), read = counted.filter((h) => h.isRead).length;

	return (n || "no") + " corrected " + (n === 1 ? "error" : "errors") + " counted in " + read + " hours with readings";
}

// "in the last 24 hours no entries of the log"; hours that were not read are not called clean.
function errorsText(errors, d) {
	return loggedText(errors, d) + ", " + countedText(countedOf(d));
}

function loggedText(errors, d) {
	const hours = errors.byDevice.get(d.uri) || [], n = hours.reduce((sum, h) => sum + h.n, 0);

	if (errors.unread >= HOURS)
		return "entries of the last 24 hours not known";
	return (n || "no") + (n === 1 ? " entry" : " entries") + " in the log in the last " + (HOURS - errors.unread) + " hours";
}

// An hour with entries is a bar of the height of its severity, so that the colour is not all; one without, in which the device has
// counted corrected errors, a low one. The line below is broken where the history has no reading.
function drawStrip(errors, d) {
	const hours = errors.byDevice.get(d.uri) || [], wide = (TILE.w - 12) / HOURS, counted = countedOf(d);
	const y = STRIP.y + STRIP.h;
	const axis = (k, n) => svg("line", {class: "axis", x1: 6 + k * wide, x2: 6 + (k + n) * wide, y1: y + 0.5, y2: y + 0.5});
	const bar = (k) => {
		const severity = (hours[k] || {}).severity;
		const h = {Critical: STRIP.h, Warning: 10, OK: 6}[severity];

		return k < errors.unread ? svg("rect", {class: "unread", x: 6 + k * wide, y: STRIP.y + 2, width: wide, height: STRIP.h - 4}) :
			h ? svg("rect", {class: "hour " + severity.toLowerCase(), x: 6 + k * wide, y: y - h, width: wide - 0.5, height: h}) :
				counted && counted[k].n ? svg("rect", {class: "counted", x: 6 + k * wide, y: y - 4, width: wide - 0.5, height: 4}) : null;
	};

	return [counted ? counted.map((h, k) => h.isRead ? axis(k, 1) : null) : axis(0, HOURS), Array.from({length: HOURS}, (_, k) => bar(k))];
}

function drawDevice(drawing, d, port, x, y) {
	const regions = d.regions;
	const n = Math.max(1, regions.length);
	const where = port ? oem(port).KernelName || port.Name : "port not known";
	const values = [capacityText(d), temperatureText(d)].filter(Boolean).join(" · ");
	const seen = [clip(pin(drawing, d) + d.Name, 92), clip(where, TILE.w - 12), clip(values, TILE.w - 8)];
	const label = labelOf(d.Name + ", " + where + ", " + values + ", " + words(d) +
		(regions.length ? ", in " + regions.map((r) => r.Name).join(", ") : ", in no region") + ", " + errorsText(drawing.errors, d),
	seen[0].replace(PIN, ""), seen[1], seen[2]);

	return item(drawing, d, "device", label, {x, y},
		svg("rect", {class: "box", width: TILE.w, height: TILE.h, rx: 5}),
		svg("text", {class: "name", x: 8, y: 19}, seen[0]),
		svg("text", {class: "mark", x: TILE.w - 8, y: 19, "text-anchor": "end"}, mark(health(d))),
		// The space parts them for those who hear them.
		svg("text", {class: "small"}, svg("tspan", {x: 8, y: 36}, seen[1]), " ", svg("tspan", {x: 8, y: 52}, seen[2])),
		drawStrip(drawing.errors, d),
		regions.length ? regions.map((r, i) => svg("rect", {
			class: "fill c" + r.colour, x: 6 + i * (TILE.w - 12) / n, y: 79,
			width: (TILE.w - 12) / n - 1, height: 10, rx: 2})) :
			svg("rect", {class: "free", x: 6, y: 79, width: TILE.w - 12, height: 10, rx: 2}),
		frame(drawing, d, TILE.w, TILE.h));
}

// The state of a port that has no device or switch that the host uses.
function portState(port) {
	return (port.CXL || {}).ConnectedDeviceType || {LinkUp: "link is up", LinkDown: "no link", NoLink: "no link"}[port.LinkStatus] ||
		"link not known";
}

function drawPort(drawing, port, x, y) {
	const name = oem(port).KernelName || port.Name || port.Id;
	const label = "Port " + name + ", " + portState(port) + ", no device of this host";

	return svg("g", {
		"data-item": true, "data-kind": "port", "data-uri": port.uri, "data-key": port.uri, "data-name": name,
		role: "img", "aria-label": label, class: "port", transform: "translate(" + x + "," + y + ")",
	}, svg("title", {}, label),
	svg("rect", {class: "empty", width: TILE.w, height: TILE.h, rx: 5}),
	svg("text", {class: "small", x: 8, y: 22}, clip(name, TILE.w - 12)),
	svg("text", {class: "small", x: 8, y: 40}, clip(portState(port), TILE.w - 8)));
}

// A bridge or a switch: first its devices as tiles, then each switch as a box.
function drawBox(drawing, x, kind, title, ports, place, depth) {
	const inner = place.w - 2 * PAD;
	const columns = Math.max(1, Math.floor((inner + TILE.gap) / (TILE.w + TILE.gap)));
	const down = ports.filter((p) => p.PortType !== "UpstreamPort");
	const tiles = down.filter((p) => !p.switch);
	const nodes = [];
	let y = place.y + TITLE + 6;

	tiles.forEach((p, i) => {
		const tx = place.x + PAD + (i % columns) * (TILE.w + TILE.gap);
		const ty = y + Math.floor(i / columns) * (TILE.h + TILE.gap);

		nodes.push(p.device ? drawDevice(drawing, p.device, p, tx, ty) : drawPort(drawing, p, tx, ty));
	});
	y += Math.ceil(tiles.length / columns) * (TILE.h + TILE.gap);
	for (const p of down.filter((q) => q.switch)) {
		if (depth > 8 || drawing.done.has(p.switch.uri))
			continue;
		drawing.done.add(p.switch.uri);
		const box = drawBox(drawing, p.switch, "switch",
			"at " + (oem(p).KernelName || p.Id), p.switch.ports,
			{x: place.x + PAD, y, w: inner}, depth + 1);

		nodes.push(...box.nodes);
		y += box.height + TILE.gap;
	}
	const height = y - place.y + 2;
	const text = x.Name + (title ? "  " + title : "");
	const label = labelOf(text + ", " + down.length + " ports, " + words(x), clip(text, inner - 30));

	nodes.unshift(item(drawing, x, kind, label, place,
		svg("rect", {class: "frame", width: place.w, height, rx: 6}), frame(drawing, x, place.w, height),
		svg("text", {class: "name", x: PAD, y: 18}, pin(drawing, x) + mark(health(x)) + " " + clip(text, inner - 30))));
	return {nodes, height};
}

function drawUnplaced(drawing, list, x, y, width) {
	const columns = Math.max(1, Math.floor((width + TILE.gap) / (TILE.w + TILE.gap)));
	const nodes = [svg("text", {class: "name", x, y: y + 15}, "At no port that the service knows")];
	const devices = list.filter((d) => d.regions);

	devices.forEach((d, i) => nodes.push(drawDevice(drawing, d, null,
		x + (i % columns) * (TILE.w + TILE.gap),
		y + TITLE + Math.floor(i / columns) * (TILE.h + TILE.gap))));
	let height = TITLE + Math.ceil(devices.length / columns) * (TILE.h + TILE.gap);
	for (const s of list.filter((d) => !d.regions)) {
		const box = drawBox(drawing, s, "switch", "", s.ports, {x, y: y + height, w: width}, 1);

		nodes.push(...box.nodes);
		height += box.height + TILE.gap;
	}
	return {nodes, height};
}

// ---- the same as a table ------------------------------------------------------------------------

function tableOf(model, found) {
	const rows = [];
	const add = (depth, kind, x, state, more) => rows.push(row([
		el("span", {class: "indent" + depth}, pin({found}, x) + x.Name + (found.has(x.uri) ? " (located)" : "")), kind, state, more],
	{class: found.has(x.uri) ? "found" : null, "data-uri": x.uri}));
	const ports = (owner, depth) => {
		for (const p of owner.ports) {
			if (p.device)
				add(depth, "device", p.device, badge(health(p.device)), "at " + p.Name + "; " + [capacityText(p.device), temperatureText(p.device), errorsText(model.errors, p.device)].filter(Boolean).join(", ") + "; " +
					(p.device.regions.map((r) => r.Name).join(", ") || "in no region"));
			if (p.switch && depth < 4) {
				add(depth, "switch", p.switch, badge(health(p.switch)), "at " + p.Name);
				ports(p.switch, depth + 1);
			}
			if (!p.device && !p.switch && p.PortType !== "UpstreamPort")
				add(depth, "port", {uri: p.uri, Name: oem(p).KernelName || p.Name || p.Id}, badge(health(p)), portState(p) + ", no device of this host");
		}
	};

	for (const w of model.windows) {
		add(0, "window", w, badge(health(w)), w.base === undefined ? "" : hex(w.base) + ", " + size(w.size ?? 0n));
		for (const r of w.regions)
			add(1, "region", r, badge(health(r)), (r.base === undefined ? "" : hex(r.base) + ", ") +
				size(r.size ?? 0n) + ", " + (r.devices.map((u) =>
				(model.byUri.get(u) || {Name: "?"}).Name).join(", ") || "no devices"));
	}
	for (const b of model.bridges) {
		add(0, "host bridge", b, badge(health(b)), b.ports.length + " ports");
		ports(b, 1);
	}
	for (const d of model.unplaced)
		add(0, d.regions ? "device" : "switch", d, badge(health(d)), "at no known port");
	return sortable("Windows, regions, host bridges, switches and devices",
		["Name", "Kind", "Health", "Where"], rows);
}

// In as many columns as there is space for. Return: where the next one may be.
function inColumns(nodes, list, least, y, width, draw) {
	const columns = Math.max(1, Math.min(list.length, Math.floor(width / (least + GUTTER))));
	const wide = Math.floor((width - 2 - (columns - 1) * GUTTER) / columns);
	let highest = 0;

	list.forEach((x, i) => {
		if (i > 0 && i % columns === 0) {
			y += highest + GUTTER;
			highest = 0;
		}
		const part = draw(x, 1 + (i % columns) * (wide + GUTTER), y, wide);

		nodes.push(...part.nodes);
		highest = Math.max(highest, part.height);
	});
	return list.length ? y + highest + GUTTER : y;
}

export function drawTopology(model, found, open) {
	const width = Math.max(300, id("drawing").clientWidth - 2);
	const drawing = {found, open, done: new Set(), errors: model.errors};
	const nodes = [];
	let y = 4;

	y = inColumns(nodes, model.windows, 300, y, width, (w, x, top, wide) =>
		drawWindow(drawing, w, x, top, wide));
	y = inColumns(nodes, model.bridges, 4 * (TILE.w + TILE.gap) + 2 * PAD, y, width, (b, x, top, wide) =>
		drawBox(drawing, b, "bridge", "", b.ports, {x, y: top, w: wide}, 0));
	if (model.unplaced.some((d) => !drawing.done.has(d.uri))) {
		const part = drawUnplaced(drawing, model.unplaced, 1, y, width - 2);

		nodes.push(...part.nodes);
		y += part.height;
	}
	const picture = svg("svg", {width, height: y + 4, viewBox: "0 0 " + width + " " + (y + 4), role: "group",
		"aria-label": "Drawing of " + many(model.windows.length, "window") + ", " + many(model.regions.length, "region") + ", " +
			many(model.bridges.length, "host bridge") + ", " + model.switches.length + " switch" +
			(model.switches.length === 1 ? "" : "es") + " and " + many(model.devices.length, "device") +
			"; arrow keys move between them"}, nodes);

	replace(id("drawing"), model.windows.length || model.bridges.length || model.devices.length ? picture :
		el("p", {class: "notice"}, "This host shows no CXL memory. The findings say why."));
	roving(id("drawing"));
	replace(id("topology-table"), ...tableOf(model, found));
	drawLegend(model);
}

function drawLegend(model) {
	replace(id("legend"), el("ul", {class: "legend", "aria-label": "Colours of regions"},
		// The bars have their names; of many regions colours repeat.
		(model.regions.length > COLOURS ? [] : model.regions).map((r) => el("li", {}, el("a", {href: "#map/" + encodeURIComponent(r.Id)},
			el("span", {class: "swatch c" + r.colour, "aria-hidden": "true"}), r.Name))),
		model.regions.length ? null : el("li", {}, "no regions")),
	el("ul", {class: "legend", "aria-label": "Signs"},
		["OK", "Warning", "Critical", undefined].map((h) => el("li", {}, badge(h))), el("li", {}, PIN + "located"),
		el("li", {}, "dashed box: a port without a device of this host"), el("li", {}, "bars of a device: its entries in the log by hour, 24 hours up to now; low ones: corrected errors that it has counted; the line below them: readings")));
}

export function clearTopology() {
	for (const name of ["drawing", "topology-table", "legend"])
		replace(id(name));
}

// Brings the object of this identifier, or URI, to the reader.
export function presentItem(name) {
	const items = [...document.querySelectorAll("#drawing [data-item]")];
	const one = items.find((n) => n.dataset.uri === name || n.dataset.id === name);

	if (!one)
		return;
	items.forEach((n) => n.setAttribute("tabindex", n === one ? "0" : "-1"));
	present(one, "center");
}
