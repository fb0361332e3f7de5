// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The service as this page uses it: requests with the token of a session, collections by pages, and
// the stream of events by fetch(), because EventSource cannot send the token.

export const ROOT = "/redfish/v1/";
const SESSIONS = "/redfish/v1/SessionService/Sessions";
const PAGE = 100; // members in an answer: far below 1 MiB each
const TIMEOUT_MS = 30000;
const RETRY_MS = 2000;
const STALL_MS = 45000; // three times the pause after which the service sends a comment

export class LoginNeeded extends Error {}
export class Unreachable extends Error {}
export class Refused extends Error {
	constructor(text, command = "") {
		super(text);
		this.command = command;
	}
}
export class Stalled extends Error {}

const store = window.sessionStorage;
let token = store.getItem("token");
let session = store.getItem("session");
let writer = false; // whether the account of the session changes the log
let ahead = 0;	    // milliseconds of the clock of the service before that of the browser

function headers(more) {
	const h = new Headers({Accept: "application/json", "OData-Version": "4.0", ...more});

	if (token)
		h.set("X-Auth-Token", token);
	return h;
}

function forget() {
	token = session = null;
	writer = false;
	store.removeItem("token");
	store.removeItem("session");
}

async function messagesOf(reply) {
	try {
		return (await reply.json()).error["@Message.ExtendedInfo"];
	} catch {
		return [{Message: "The service answered with status " + reply.status + "."}];
	}
}

function textOf(messages) {
	return messages.map((m) => [m.Message, m.Resolution].filter(Boolean).join(" ")).join(" ");
}

// The first account is made where no password is needed.
const FIRST_ACCOUNT = "curl --unix-socket /run/cxl-redfish/redfish.sock localhost" + ROOT + "AccountService/Accounts " +
	"-H 'Content-Type: application/json' -d '{\"UserName\": \"admin\", \"Password\": \"…\", \"RoleId\": \"Administrator\"}'";

// The reason why a login was refused; of a reply that is none of one, nothing. The service says the same of a wrong name
// and of a wrong password, and so does the page.
async function refusedLogin(reply) {
	const seconds = reply.headers.get("Retry-After");
	const messages = await messagesOf(reply);
	const has = (name) => messages.some((m) => (m.MessageId || "").endsWith("." + name));

	if (has("NoAccount"))
		return new Refused("There is no account yet, so nobody can log in. Make one as root on the host of the service:", FIRST_ACCOUNT);
	if (reply.status === 401)
		return new Refused(seconds ? "Too many attempts failed: for " + seconds + " seconds no password is checked, not even the right one. " +
			"Try again then." : "The account or the password is wrong, or the account is locked or disabled. " +
			"After several wrong ones no password is checked for a while.");
	return has("SessionLimitExceeded") ? new Refused("Too many sessions are open: log out in another window, or wait until one ends.") : undefined;
}

async function send(uri, options, stream) {
	const used = token;
	let reply;

	// A URI from a service or a proxy must stay on this one.
	if (!uri.startsWith("/redfish/"))
		throw new Refused("The service named an address that is not its own: " + uri);
	try {
		reply = await fetch(uri, {
			redirect: "error", credentials: "omit", cache: "no-cache",
			...(stream ? {} : {signal: AbortSignal.timeout(TIMEOUT_MS)}), ...options});
	} catch (e) {
		if (options.signal && options.signal.aborted)
			throw e;
		throw new Unreachable(e.name !== "TimeoutError" ? "The service does not answer." :
			"No answer of the service within " + TIMEOUT_MS / 1000 + " s. It is away or busy, or other windows of this page " +
			"have all connections that the browser makes to one service.");
	}
	ahead = (Date.parse(reply.headers.get("Date")) || Date.now()) - Date.now();
	if (reply.status === 401 && uri !== SESSIONS) {
		const had = token !== null;

		// A late answer of an ended session says nothing about the present one.
		if (used !== token && had)
			throw new Unreachable("The session was another one.");

		forget();
		throw new LoginNeeded(had ? "The session has ended. Log in again." : "");
	}
	const refused = uri === SESSIONS && !reply.ok ? await refusedLogin(reply.clone()) : undefined;

	if (refused)
		throw refused;
	// 502 and 504 are of a proxy whose service is away.
	if (reply.status >= 502 && reply.status <= 504)
		throw new Unreachable("The service is not ready.");
	if (!reply.ok)
		throw new Refused(textOf(await messagesOf(reply)));
	return reply;
}

async function json(reply) {
	try {
		return await reply.json();
	} catch {
		throw new Unreachable("The answer of the service ended early.");
	}
}

export async function get(uri) {
	return json(await send(uri, {headers: headers()}));
}

// Data that may be missing on the page; but the end of a session concerns all of it.
export async function optional(promise, otherwise) {
	try {
		return await promise;
	} catch (e) {
		if (e instanceof LoginNeeded)
			throw e;
		return otherwise;
	}
}

export async function post(uri, body) {
	return json(await send(uri, {
		method: "POST", headers: headers({"Content-Type": "application/json"}),
		body: JSON.stringify(body)}));
}

// A resource is changed as it was read just before, by its ETag.
export async function patch(uri, body) {
	const etag = (await send(uri, {headers: headers()})).headers.get("ETag");

	return json(await send(uri, {
		method: "PATCH", headers: headers({"Content-Type": "application/json", ...(etag ? {"If-Match": etag} : {})}),
		body: JSON.stringify(body)}));
}

// The time by the clock of the service.
export function serviceNow() {
	return Date.now() + ahead;
}

// An expression of $filter or a list of $select as part of a URI; "$" and "/" stay readable.
function option(text) {
	return encodeURIComponent(text).replace(/%2F/g, "/").replace(/%20/g, "%20");
}

export function query(uri, options) {
	const list = Object.entries(options).filter(([, v]) => v !== undefined && v !== "");

	return uri + (list.length ? "?" : "") +
		list.map(([k, v]) => "$" + k + "=" + option(String(v))).join("&");
}

// All members of a collection, expanded, by pages.
export async function members(uri, select, levels = 1) {
	const all = [];
	let next = query(uri, {expand: ".($levels=" + levels + ")", select, top: PAGE});

	while (next) {
		const page = await get(next);

		all.push(...page.Members);
		next = page["Members@odata.nextLink"];
	}
	return all;
}

// Runs up to four of them at a time: a server has few threads.
export async function each(items, fn) {
	const results = new Array(items.length);
	let next = 0;
	const worker = async () => {
		while (next < items.length) {
			const i = next++;

			results[i] = await fn(items[i]);
		}
	};

	await Promise.all(Array.from({length: Math.min(4, items.length)}, worker));
	return results;
}

// The host and its service, whose Ids the configuration chooses: each is the only member of its collection.
export const here = {system: undefined, manager: undefined};

export async function readHere() {
	const first = async (collection) => (await get(ROOT + collection)).Members[0]["@odata.id"];

	[here.system, here.manager] = await Promise.all([first("Systems"), first("Managers")]);
}

// Whether what needs a login can be read: the expansion of the root has only what the client may
// see, and is no failed login.
export async function mayRead() {
	const root = await get(query(ROOT, {expand: ".($levels=1)", select: "Systems"}));

	return Array.isArray(root.Systems && root.Systems.Members);
}

export async function login(user, password) {
	const reply = await send(SESSIONS, {
		method: "POST", headers: headers({"Content-Type": "application/json"}),
		body: JSON.stringify({UserName: user, Password: password})});

	token = reply.headers.get("X-Auth-Token");
	session = reply.headers.get("Location");
	store.setItem("token", token);
	store.setItem("session", session);
}

// By the privileges of the roles of the session; without a session nothing can be changed.
export async function readPrivileges() {
	writer = false;
	if (!session)
		return;
	const own = await optional(get(new URL(session, location.href).pathname), {});

	for (const role of own.Roles || []) {
		const {AssignedPrivileges} = await optional(get(ROOT + "AccountService/Roles/" + encodeURIComponent(role)), {});

		writer = writer || (AssignedPrivileges || []).includes("ConfigureManager");
	}
}

export function mayWrite() {
	return writer;
}

export function hasSession() {
	return token !== null;
}

export async function logout() {
	const uri = session;

	try {
		if (uri)
			await send(new URL(uri, location.href).pathname,
				{method: "DELETE", headers: headers()});
	} catch {
		// It ends by itself.
	}
	forget();
}

// ---- the stream of events -----------------------------------------------------------------------

function wait(ms, signal) {
	return new Promise((done) => {
		const timer = setTimeout(done, ms);

		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			done();
		}, {once: true});
	});
}

// A connection that is cut without a packet would be waited for until the operating system gives up.
async function readOrStall(reader, ms) {
	let timer;
	const stalled = new Promise((_, fail) => {
		timer = setTimeout(() => fail(new Stalled("The stream of events has stalled.")), ms);
	});

	try {
		return await Promise.race([reader.read(), stalled]);
	} catch (e) {
		reader.cancel().catch(() => undefined);
		throw e;
	} finally {
		clearTimeout(timer);
	}
}

async function read(reply, take, stall) {
	const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "", last;

	for (;;) {
		const {done, value} = await readOrStall(reader, stall);

		if (done)
			return last;
		rest += value;
		if (rest.length > 4 * 1024 * 1024)
			throw new Unreachable("An event is too long.");
		for (let end; (end = rest.indexOf("\n\n")) >= 0; rest = rest.slice(end + 2)) {
			let data = "", number;

			for (const line of rest.slice(0, end).split("\n")) {
				if (line.startsWith("data: "))
					data += line.slice(6);
				else if (line.startsWith("id: "))
					number = line.slice(4);
			}
			if (data)
				take(JSON.parse(data), number);
		}
	}
}

// Follows the stream until `signal`; `said` gets "on", "off", "stalled" or a LoginNeeded.
export async function follow(uri, take, said, signal, stall = STALL_MS) {
	let last;

	while (!signal.aborted) {
		let state = "off";

		try {
			const h = headers({Accept: "text/event-stream"});

			if (last !== undefined)
				h.set("Last-Event-ID", last);
			const reply = await send(uri, {headers: h, signal}, true);

			said("on");
			await read(reply, (event, number) => {
				last = number ?? last;
				take(event);
			}, stall);
		} catch (e) {
			if (signal.aborted)
				return;
			if (e instanceof LoginNeeded) {
				said(e);
				return;
			}
			if (e instanceof Stalled)
				state = "stalled";
			if (e instanceof Refused)
				last = undefined;
		}
		if (!signal.aborted) {
			said(state);
			await wait(RETRY_MS, signal);
		}
	}
}
