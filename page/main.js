// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The page as a whole: login, which section is shown, and when what is shown is read again.

import {badge, duration, forgetArranged, id, many, present, rank, replace, show} from "./dom.js";
import {clearDevices, drawDevice, drawDevices, sample} from "./devices.js";
import {drawFindings, listFindings} from "./findings.js";
import {clearIncidents, drawIncidents, readIncidents} from "./incidents.js";
import {drawFound, locate} from "./locate.js";
import {clearLog, drawLog, openLog, startLog} from "./log.js";
import {clearMap, drawMap, markRanges, openMap} from "./map.js";
import {health, oem, readDays, readModel} from "./model.js";
import {LoginNeeded, ROOT, Unreachable, follow, get, hasSession, login, logout, mayRead, readHere, readPrivileges} from "./redfish.js";
import {clearTopology, drawTopology, presentItem} from "./topology.js";

const REFRESH_MS = 30000, RETRY_MS = 2000, SETTLE_MS = 700;
const TITLE = "CXL memory";
const LIVE = {on: "live", off: "not live, connecting again", stalled: "not live: the stream stalled, connecting again"};
const SECTIONS = ["topology", "map", "devices", "findings", "log"];

let model = null;
let found = new Set(); // URIs of what was located
let question = "";     // what was asked for last
let turn = 0;	       // of the newest question: an older answer does not replace its answer
let visit = 0;	       // number of the login: what was asked before it is of another one
let answered = "";     // the answer that is shown
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
		// Only the first of several requests knows that there was a session.
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

// Whether errors get into the log: by what the service says of itself, in its words.
function recording() {
	const said = ((model.manager.Status || {}).Conditions || []).map((c) => c.Message || "").filter((text) => /record|store/i.test(text));

	if (oem(model.system).CapturedHost)
		return "events are those of the capture";
	return said.join(" ") || (model.devices.length ? "events are recorded" : "no device whose events could be recorded");
}

function summarize() {
	const all = listFindings(model);
	const worst = [...model.devices, ...model.regions, model.system].map(health)
		.reduce((a, b) => rank(b) > rank(a) ? b : a, undefined);
	const unknown = model.devices.filter((d) => !health(d)).length;
	const count = (severity) => all.filter((f) => f.severity === severity).length;

	const host = oem(model.system).CapturedHost ? "(captured host)" : model.system.HostName || "";

	id("host").textContent = host;
	replace(id("facts"), [oem(model.system).CapturedHost ? model.system.HostName : undefined, "Linux " + ((model.os.Kernel || {}).Release || "of unknown release"),
		model.os.UptimeSeconds === undefined ? "uptime not known" : "up " + duration(model.os.UptimeSeconds),
		recording()].filter(Boolean).join(" · "));
	document.title = host ? host + " – " + TITLE : TITLE;
	replace(id("summary"), badge(unknown && rank(worst) < 1 ? undefined : worst), " " + many(model.devices.length, "device") +
		(unknown ? " (" + unknown + " of unknown health)" : "") + ", " + many(model.regions.length, "region") + "; " +
		[[model.incidents.n, "open incident"], [count("Critical"), "critical finding"], [count("Warning"), "warning"]]
			.filter(([n]) => n).map(([n, word]) => many(n, word)).join(", "));
}

const openItem = (kind, x) => {
	if (kind === "device")
		location.hash = "devices/" + encodeURIComponent(x.Id);
	else if (kind === "region" || kind === "window")
		location.hash = "map/" + encodeURIComponent(x.Id);
	else
		location.hash = "findings";
};

// The target of a link is the place of the reader next: it gets the focus, too.
function presentPlace() {
	const {section, name} = place();

	if (section === "topology" && name)
		presentItem(name);
	else
		present(section === "devices" && name ? id("device-detail") : id(section === "topology" ? "h-story" : "h-" + section));
}

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

	show(id("story"), section === "topology");
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
	if (model && section === "log")
		openLog(model, name);
	return drawSection();
}

// A zoom keeps the focus in the map.
async function go() {
	const before = document.querySelector("main section:not([hidden])");

	await enter();
	if (model && (id(place().section) !== before || place().section !== "map" && place().name || document.activeElement === document.body))
		presentPlace();
}

// Return: whether the session is still the same.
async function load() {
	const mine = visit;
	const [read, incidents] = await Promise.all([readModel(), readIncidents()]);

	if (mine !== visit)
		return false;
	model = {...read, incidents};
	sample(model);
	banner("");
	summarize();
	drawDevices(model);
	drawFindings(model);
	drawIncidents(model, {changed: refresh, failed});
	await askAgain();
	document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
	return mine === visit;
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
	const mine = visit;

	reading = true;
	try {
		if (await load()) {
			await drawSection();
			cost = performance.now() - begun;
			schedule(document.hidden ? 4 * REFRESH_MS : REFRESH_MS);
			// The drawing does not wait for the histories of many devices.
			if (place().section === "topology" && await readDays(model) && mine === visit)
				await drawSection();
		}
	} catch (e) {
		if (mine === visit)
			failed(e);
	}
	// A reading of an ended session keeps none of the next one from beginning.
	if (mine !== visit)
		return;
	reading = false;
	if (again) {
		again = false;
		schedule(soon());
	}
}

// ---- what is located --------------------------------------------------------------------------------

function setFound(result) {
	found = new Set(result.items.flatMap((x) => x.uris));
	markRanges(result.items.flatMap((x) => x.marks));
	// An equal result is not announced again.
	const said = result.note + JSON.stringify(result.items.map((x) => [x.text, x.uris, x.devices.map((d) => d.slot)]));

	if (said === answered && id("found").hasChildNodes())
		return;
	answered = said;
	drawFound(result, (e) => {
		// The browser does nothing for a link to where it is.
		if (e.currentTarget.getAttribute("href") === location.hash) {
			e.preventDefault();
			guard(async () => {
				await enter();
				presentPlace();
			})();
		}
	});
}

// Return: whether this was still the newest question when its answer came.
async function ask(text) {
	const mine = ++turn;

	// Also when the answer does not come: the next reading of the host asks for it again.
	if (text !== question)
		id("this-boot").checked = false;
	question = text;
	const result = await locate(model, text, id("this-boot").checked);

	if (mine !== turn || !model)
		return false;
	fitBox();
	id("this-boot-label").hidden = !result.asksBoot;
	setFound(result);
	return true;
}

// An answer is that of the host as it was: with each reading of the host it is asked for again.
async function askAgain() {
	if (question !== "")
		await ask(question);
}

function clearFound() {
	turn++;
	question = "";
	id("this-boot-label").hidden = true;
	setFound({items: [], note: ""});
	id("where").value = "";
	fitBox();
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
		// Events before the stream began are not in it. Its end may have a reason.
		onEvent();
	}, stream.signal);
}

// Nothing of a host stays in the page when its session has ended: the next reader may be another one.
function clearAll() {
	visit++;
	reading = again = false;
	model = null;
	clearFound();
	clearIncidents();
	clearTopology();
	clearMap();
	clearDevices();
	clearLog();
	forgetArranged();
	replace(id("finding-list"));
	for (const name of ["n-findings", "host", "summary", "facts", "live"])
		id(name).textContent = "";
	document.title = TITLE;
}

function sayWhy(why, command = "") {
	id("login-why").textContent = why;
	id("login-how").textContent = command;
	show(id("login-how"), command !== "");
}

function askLogin(why) {
	unschedule();
	stopEvents();
	events = undefined;
	clearAll();
	banner("");
	show(id("app"), false);
	show(id("logout"), false);
	show(id("login"), true);
	id("login-form").querySelector("button").disabled = false;
	sayWhy(why);
	(id("user").value ? id("password") : id("user")).focus();
}

async function begin() {
	const service = await get(ROOT + "EventService");

	await readHere();
	show(id("login"), false);
	show(id("app"), true);
	show(id("logout"), hasSession());
	events = service.ServerSentEventUri;
	await readPrivileges();
	followEvents();
	await refresh();
	await enter();
}

// Goes on until the service answers: a session that has begun is not asked for a second time.
async function start() {
	for (;;) {
		try {
			if (hasSession() || await mayRead())
				await begin();
			else
				askLogin("");
			return;
		} catch (e) {
			if (!(e instanceof Unreachable)) {
				askLogin(e.message);
				return;
			}
			banner(e.message + " Trying again.");
			await new Promise((done) => setTimeout(done, RETRY_MS));
		}
	}
}

id("login-form").addEventListener("submit", async (e) => {
	const button = e.target.querySelector("button");

	e.preventDefault();
	if (button.disabled)
		return;
	button.disabled = true;
	try {
		await login(id("user").value, id("password").value);
		id("password").value = "";
		sayWhy("");
		await start();
		if (model)
			presentPlace();
	} catch (error) {
		id("password").value = "";
		sayWhy(error.message, error.command);
	}
	button.disabled = false;
});

id("logout").addEventListener("click", async () => {
	await logout();
	askLogin("You are logged out.");
});

id("locate").addEventListener("submit", guard(async (e) => {
	e.preventDefault();
	if (model && await ask(id("where").value))
		await drawSection();
}));

id("this-boot").addEventListener("change", guard(async () => {
	if (model && await ask(question))
		await drawSection();
}));

// The box looks like one line until it has more.
const LINES_MAX = 8;

function fitBox() {
	const box = id("where");
	const style = getComputedStyle(box);

	box.rows = 1;
	const lines = (box.scrollHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)) / parseFloat(style.lineHeight);

	box.rows = Math.max(1, Math.min(LINES_MAX, Math.round(lines) || 1));
}

id("where").addEventListener("input", fitBox);
id("where").addEventListener("focus", () => id("where").select());
id("where").addEventListener("keydown", (e) => {
	if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
		e.preventDefault();
		id("locate").requestSubmit();
	}
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
window.addEventListener("hashchange", guard(go));
startLog(drawSection);
start();
