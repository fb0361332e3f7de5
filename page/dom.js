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

// Whatever had the focus has it again if the new content has an element of the same key.
export function replace(node, ...children) {
	const active = document.activeElement;
	const key = node.contains(active) && active.dataset ? active.dataset.key : undefined;

	node.replaceChildren(...children.filter((c) => c !== undefined && c !== null));
	if (key !== undefined) {
		const same = [...node.querySelectorAll("[data-key]")].find((n) => n.dataset.key === key);
		if (same) {
			// An item of roving() cannot have it before it has this.
			if (same.dataset.item !== undefined)
				same.setAttribute("tabindex", "-1");
			same.focus({preventScroll: true});
		}
	}
}

export function table(caption, heads, rows) {
	return el("table", {},
		el("caption", {}, caption),
		el("thead", {}, el("tr", {}, heads.map((h) => el("th", {scope: "col"}, h)))),
		el("tbody", {}, rows));
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

	return el("span", {class: "health " + (MARKS[health] ? health.toLowerCase() : "none")},
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
export function many(n, word) {
	return n + " " + word + (n === 1 ? "" : "s");
}

export function hex(n) {
	return "0x" + n.toString(16);
}

export function time(text) {
	return text ? text.replace("T", " ").replace(/(\.\d{3})\d*/, "$1") : "";
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
