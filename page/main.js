// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The page as a whole: login, which section is shown, and when what is shown is read again.

import {badge, el, id, many, rank, replace, show} from "./dom.js";
import {drawDevice, drawDevices, sample} from "./devices.js";
import {drawFindings, listFindings} from "./findings.js";
import {clean, drawFound, locate} from "./locate.js";
import {drawLog, startLog} from "./log.js";
import {drawMap, markRanges, openMap} from "./map.js";
import {health, oem, readModel} from "./model.js";
import {LoginNeeded, ROOT, Unreachable, follow, get, hasSession, login, logout, mayRead} from "./redfish.js";
import {drawTopology} from "./topology.js";

const REFRESH_MS = 30000, RETRY_MS = 2000, SETTLE_MS = 700;
const LIVE = {on: "live", off: "not live, connecting again", stalled: "not live: the stream stalled, connecting again"};
const SECTIONS = ["topology", "map", "devices", "findings", "log"];

let model = null;
let found = new Set();
let timer, due, stream, events, reading = false, again = false;
let cost = 0; // milliseconds that reading everything took

function place() {
	const [section, ...rest] = location.hash.slice(1).split("/");
	let name = "";

	try {
		name = decodeURIComponent(rest.join("/"));
	} catch {
		// Not an address that this page made.
	}
	return {section: SECTIONS.includes(section) ? section : "topology", name};
}

// ---- one place for what can go wrong ------------------------------------------------------------

function banner(text) {
	id("banner").textContent = text;
	show(id("banner"), text !== "");
}

// The earliest of what was scheduled counts, so that a storm of events postpones nothing.
function schedule(ms) {
	const at = performance.now() + ms;

	if (timer !== undefined && due <= at)
		return;
	clearTimeout(timer);
	due = at;
	timer = setTimeout(refresh, ms);
}

function unschedule() {
	clearTimeout(timer);
	timer = undefined;
}

function failed(e) {
	if (e instanceof LoginNeeded) {
		// Of several requests only the first one knows that there was a session.
		if (e.message || id("login").hidden)
			askLogin(e.message);
	} else if (e instanceof Unreachable) {
		banner(e.message + " What is shown may be old. Trying again.");
		schedule(RETRY_MS);
	} else {
		banner(e.message);
		schedule(REFRESH_MS);
	}
}

function guard(fn) {
	return async (...args) => {
		try {
			await fn(...args);
		} catch (e) {
			failed(e);
		}
	};
}

// ---- drawing --------------------------------------------------------------------------------------

function summarize() {
	const all = listFindings(model);
	const worst = [...model.devices, ...model.regions, model.system].map(health)
		.reduce((a, b) => rank(b) > rank(a) ? b : a, undefined);
	const unknown = model.devices.filter((d) => !health(d)).length;
	const count = (severity) => all.filter((f) => f.severity === severity).length;

	id("host").textContent = oem(model.system).CapturedHost ? "(captured host)" : model.system.HostName || "";
	replace(id("summary"), badge(unknown && rank(worst) < 1 ? undefined : worst), " " + many(model.devices.length, "device") +
		(unknown ? " (" + unknown + " of unknown health)" : "") + ", " + many(model.regions.length, "region") + "; " +
		count("Critical") + " critical, " + many(count("Warning"), "warning"));
}

const openItem = (kind, x) => {
	if (kind === "device")
		location.hash = "devices/" + encodeURIComponent(x.Id);
	else if (kind === "region" || kind === "window")
		location.hash = "map/" + encodeURIComponent(x.Id);
	else
		location.hash = "findings";
};

const drawSection = guard(async () => {
	const {section, name} = place();

	if (!model)
		return;
	if (section === "topology")
		drawTopology(model, found, openItem);
	else if (section === "map")
		await drawMap(model);
	else if (section === "devices")
		await drawDevice(model, name);
	if (section === "log" || !document.getElementById("n-log").textContent)
		await drawLog(model);
});

function enter() {
	const {section, name} = place();

	for (const s of SECTIONS) {
		show(id(s), s === section);
		const a = document.querySelector("nav a[href='#" + s + "']");

		if (s === section)
			a.setAttribute("aria-current", "page");
		else
			a.removeAttribute("aria-current");
	}
	if (model && section === "map" && name)
		openMap(model, name);
	return drawSection();
}

async function load() {
	model = await readModel();
	sample(model);
	banner("");
	summarize();
	drawDevices(model);
	drawFindings(model);
	document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
}

// A large host is read less often, so that events do not keep the service busy.
function soon() {
	return Math.max(SETTLE_MS, 5 * cost);
}

let logTimer;

function onEvent() {
	schedule(soon());
	if (place().section === "log" && logTimer === undefined)
		logTimer = setTimeout(() => {
			logTimer = undefined;
			drawSection();
		}, SETTLE_MS);
}

// Reads everything again: after a time, and soon after an event.
async function refresh() {
	const begun = performance.now();

	unschedule();
	if (reading) {
		again = true;
		return;
	}
	reading = true;
	try {
		await load();
		cost = performance.now() - begun;
		await drawSection();
		schedule(document.hidden ? 4 * REFRESH_MS : REFRESH_MS);
	} catch (e) {
		failed(e);
	}
	reading = false;
	if (again) {
		again = false;
		schedule(soon());
	}
}

// ---- sessions ---------------------------------------------------------------------------------------

function stopEvents() {
	if (stream)
		stream.abort();
	stream = undefined;
}

// A browser makes only six connections to one service: the stream of a hidden tab would keep one.
function followEvents() {
	stopEvents();
	if (document.hidden) {
		id("live").textContent = "paused while the page is not seen";
		return;
	}
	stream = new AbortController();
	follow(events, onEvent, (state) => {
		if (state instanceof LoginNeeded) {
			failed(state);
			return;
		}
		id("live").textContent = LIVE[state];
		// What happened before the stream began is not in it. That it ended may have a reason.
		onEvent();
	}, stream.signal);
}

function askLogin(why) {
	unschedule();
	stopEvents();
	events = undefined;
	model = null;
	banner("");
	show(id("app"), false);
	show(id("logout"), false);
	id("summary").textContent = "";
	id("live").textContent = "";
	show(id("login"), true);
	id("login-why").textContent = why;
	(id("user").value ? id("password") : id("user")).focus();
}

async function begin() {
	const service = await get(ROOT + "EventService");

	show(id("login"), false);
	show(id("app"), true);
	show(id("logout"), hasSession());
	events = service.ServerSentEventUri;
	followEvents();
	await refresh();
	await enter();
}

const start = async () => {
	try {
		if (hasSession() || await mayRead())
			await begin();
		else
			askLogin("");
	} catch (e) {
		if (e instanceof Unreachable) {
			banner(e.message + " Trying again.");
			setTimeout(start, RETRY_MS);
		} else {
			askLogin(e.message);
		}
	}
};

id("login-form").addEventListener("submit", async (e) => {
	e.preventDefault();
	try {
		await login(id("user").value, id("password").value);
		id("password").value = "";
		id("login-why").textContent = "";
		await begin();
	} catch (error) {
		id("password").value = "";
		id("login-why").textContent = error.message;
	}
});

id("logout").addEventListener("click", async () => {
	await logout();
	askLogin("You are logged out.");
});

id("locate").addEventListener("submit", guard(async (e) => {
	e.preventDefault();
	if (!model)
		return;
	const result = await locate(model, id("where").value);

	found = new Set(result.uris);
	markRanges(result.spa === undefined ? [] : [{first: result.spa, last: result.spa, exact: true}]);
	drawFound(result);
	await drawSection();
}));

// An input element drops line ends, which would join the last word of a line with the next one.
id("where").addEventListener("paste", (e) => {
	const text = e.clipboardData.getData("text/plain");
	const box = id("where");

	if (!/[\r\n\u001b]/.test(text))
		return;
	e.preventDefault();
	box.setRangeText(clean(text), box.selectionStart, box.selectionEnd, "end");
});

document.addEventListener("visibilitychange", () => {
	if (events === undefined)
		return;
	followEvents();
	if (!document.hidden)
		schedule(0);
});

let resized;

window.addEventListener("resize", () => {
	clearTimeout(resized);
	resized = setTimeout(() => place().section === "topology" && drawSection(), 150);
});
window.addEventListener("hashchange", enter);
startLog(drawSection);
start();
