// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Elements, made by calls alone: no text of the service is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === null || value === false)
			continue;
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else
			node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== ""));
	return node;
}

export function el(name, attributes, ...children) {
	return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

export function id(name) {
	return document.getElementById(name);
}

export function show(node, shown) {
	node.hidden = !shown;
}

// The name of an element in the old content and in the new one.
function keyOf(n) {
	return n.dataset.key || n.id || (n.tagName === "A" ? n.getAttribute("href") + " " + n.textContent :
		n.tagName === "SUMMARY" || n.tagName === "DETAILS" ? (n.querySelector("summary") || n).textContent : undefined);
}

// Whatever had the focus has it again, and what was opened is open again, if the new content has an
// element of the same key.
export function replace(node, ...children) {
	const active = document.activeElement;
	const key = node.contains(active) && active !== node ? keyOf(active) : undefined;
	const at = key !== undefined && active.tagName === "INPUT" ? [active.selectionStart, active.selectionEnd] : undefined;
	const open = new Set([...node.querySelectorAll("details[open]")].map(keyOf));

	node.replaceChildren(...children.filter((c) => c !== undefined && c !== null));
	for (const d of open.size ? node.querySelectorAll("details") : [])
		d.open = open.has(keyOf(d));
	if (key !== undefined) {
		const same = [...node.querySelectorAll("[data-key], [id], a, summary")].find((n) => keyOf(n) === key);
		if (same) {
			// An item of roving() cannot have it before it has this.
			if (same.dataset.item !== undefined)
				same.setAttribute("tabindex", "-1");
			same.focus({preventScroll: true});
			if (at !== undefined && same.setSelectionRange)
				same.setSelectionRange(...at);
		}
	}
}

// Brings an element to the reader: it is scrolled to, and has the focus.
export function present(node, block = "nearest") {
	if (!node)
		return;
	if (!node.hasAttribute("tabindex"))
		node.setAttribute("tabindex", "-1");
	node.scrollIntoView({block});
	node.focus({preventScroll: true});
}

// Content that is larger than its place is scrolled by keyboard, too; only then is it a stop of the tab key.
const overflow = new ResizeObserver((list) => {
	for (const node of new Set(list.map((x) => x.target.closest(".scroll")))) {
		if (node && (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight))
			node.setAttribute("tabindex", "0");
		else if (node)
			node.removeAttribute("tabindex");
	}
});

export function scrolled(node, label) {
	fill(node, {class: "scroll", role: node.tagName === "DIV" ? "group" : null, "aria-label": label, "data-key": label}, []);
	for (const n of [node, ...node.children])
		overflow.observe(n);
	return node;
}

export function table(caption, heads, rows) {
	return scrolled(el("div", {}, el("table", {},
		el("caption", {}, caption),
		el("thead", {}, el("tr", {}, heads.map((h) => el("th", {scope: "col"}, h)))),
		el("tbody", {}, rows))), caption);
}

// ---- tables that are sorted and filtered ----

// The order and the text of a table, by its caption: they stay when it is drawn again.
const arranged = new Map();
const collator = new Intl.Collator("en", {numeric: true});

// The value of a cell: a number, if it has or begins with one, else its text. A value that is missing is last.
function valueOf(cell) {
	const key = (cell.querySelector("[data-sort]") || cell).dataset.sort ?? cell.textContent;
	const number = /^-?\d+(?:\.\d+)?(?= |$)/.exec(key);

	return number ? Number(number[0]) : key;
}

function compare(a, b) {
	const missing = (x) => x === "–" || x === "";

	if (missing(a) || missing(b))
		return 0;
	return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

function sorted(rows, {column, down}) {
	const list = rows.map((r) => ({r, value: column === undefined ? "" : valueOf(r.cells[column])}));
	const last = (x) => x.value === "–" || x.value === "" ? 1 : 0;

	if (column !== undefined)
		list.sort((a, b) => last(a) - last(b) || (down ? -1 : 1) * compare(a.value, b.value));
	return list.map((x) => x.r);
}

// A table whose heads sort it, upwards, downwards, and as it was, and above it a box that selects among its rows.
export function sortable(caption, names, rows) {
	const state = arranged.get(caption) || {column: undefined, down: false, text: ""};
	const said = el("span", {role: "status", class: "small"});
	const heads = names.map((name, i) => el("th", {scope: "col"}, el("button", {type: "button", class: "sort", "data-key": caption + name, onclick: () => {
		const next = state.column !== i ? {column: i, down: false} : state.down ? {column: undefined, down: false} : {column: i, down: true};

		Object.assign(state, next);
		arrange();
	}}, name)));
	const body = el("tbody", {});
	const box = el("input", {type: "search", size: 18, autocomplete: "off", spellcheck: "false", "data-key": caption + " text", value: state.text,
		oninput: () => {
			state.text = box.value;
			arrange();
		}});
	const arrange = () => {
		const text = state.text.trim().toLowerCase();

		for (const r of rows)
			r.hidden = text !== "" && !r.textContent.toLowerCase().includes(text);
		body.replaceChildren(...sorted(rows, state));
		heads.forEach((h, i) => h.setAttribute("aria-sort", i !== state.column ? "none" : state.down ? "descending" : "ascending"));
		said.textContent = text === "" ? "" : rows.filter((r) => !r.hidden).length + " of " + rows.length + " rows have the text.";
	};

	arranged.set(caption, state);
	arrange();
	return [el("p", {class: "row"}, el("label", {}, "Text in these rows ", box), said),
		scrolled(el("div", {}, el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body)), caption)];
}

// The text that a reader has typed does not outlast the session.
export function forgetArranged() {
	arranged.clear();
}

export function row(cells, attributes) {
	return el("tr", attributes, cells.map((c, i) =>
		i === 0 ? el("th", {scope: "row"}, c) : el("td", {}, c)));
}

const RANKS = {Critical: 2, Warning: 1, OK: 0};
const MARKS = {Critical: "✖", Warning: "▲", OK: "●"};

export function rank(health) {
	return RANKS[health] ?? -1;
}

// A health is a shape and a word, not only a colour.
export function badge(health) {
	const text = health || "not known";

	return el("span", {"data-sort": health ? String(rank(health)) : "", class: "health " + (MARKS[health] ? health.toLowerCase() : "none")},
		(MARKS[health] || "○") + " " + text);
}

export function mark(health) {
	return MARKS[health] || "○";
}

export function size(bytes) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
	let n = BigInt(bytes), i = 0;

	while (i < units.length - 1 && n >= 1024n && n % 1024n === 0n) {
		n /= 1024n;
		i++;
	}
	if (n < 10000n || i === units.length - 1)
		return n + " " + units[i];
	let x = Number(n);
	while (x >= 1024 && i < units.length - 1) {
		x /= 1024;
		i++;
	}
	return x.toFixed(1) + " " + units[i];
}

// The number and the word for it, in the plural unless it is one.
export function many(n, word, plural = word + "s") {
	return n + " " + (n === 1 ? word : plural);
}

// "12 days 3 h", "3 h 25 min", "25 min"
export function duration(seconds) {
	const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);

	return days ? many(days, "day") + " " + hours % 24 + " h" : (hours ? hours + " h " : "") + minutes % 60 + " min";
}

export function hex(n) {
	return "0x" + n.toString(16);
}

// All times of the page are UTC, as those of the service and of its log are.
export function time(text) {
	const at = text ? new Date(text) : undefined;

	return at && !isNaN(at) ? at.toISOString().replace("T", " ").replace(/(?:\.000)?Z$/, " UTC") : text || "";
}

export function clock(ms) {
	return new Date(ms).toISOString().slice(11, 19) + " UTC";
}

// A name that is too long loses its middle: names differ at their ends.
export function clip(text, n) {
	const most = Math.max(1, n), head = Math.floor((most - 1) / 3);

	return text.length <= most ? text : most < 4 ? text.slice(0, most - 1) + "…" :
		text.slice(0, head) + "…" + text.slice(text.length - (most - 1 - head));
}

// One stop of the tab key for many items, between which the arrow keys move.
export function roving(container, columns = () => 1) {
	const items = [...container.querySelectorAll("[data-item]")];
	const go = (i) => {
		const to = Math.max(0, Math.min(items.length - 1, i));

		items.forEach((n, k) => n.setAttribute("tabindex", k === to ? "0" : "-1"));
		items[to].focus();
	};

	const first = Math.max(0, items.indexOf(document.activeElement));

	items.forEach((n, i) => n.setAttribute("tabindex", i === first ? "0" : "-1"));
	items.forEach((n, i) => n.addEventListener("keydown", (e) => {
		const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns()};

		if (e.key in step)
			go(i + step[e.key]);
		else if (e.key === "Home")
			go(0);
		else if (e.key === "End")
			go(items.length - 1);
		else if (n.namespaceURI === SVG && (e.key === "Enter" || e.key === " "))
			n.dispatchEvent(new MouseEvent("click"));
		else
			return;
		e.preventDefault();
	}));
}
