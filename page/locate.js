// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The box for an address: takes a system address, a device with a device address, or a line of a
// kernel's trace or log, and asks the service for the translation.

import {el, replace, id} from "./dom.js";
import {findDevice, link} from "./model.js";
import {SYSTEM, post} from "./redfish.js";
import {rangeAround} from "./map.js";

const ALL_ONES = 0xffffffffffffffffn;
const PAGE_SHIFT = 12n;
const TEXT_MAX = 65536;

function number(text, defaultHex) {
	try {
		return BigInt(/^0x/i.test(text) ? text.toLowerCase() : (defaultHex ? "0x" : "") + text);
	} catch {
		return undefined;
	}
}

// A paste may have colours of a terminal, the line ends of any system, and spaces of a mail program; a
// line that was wrapped is one line.
const COLOURS = /(?:\^\[)?\[[0-9;]+m|\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;

export function clean(text) {
	return text.replace(COLOURS, "").replace(/[\u0000-\u001f\u007f\s]+/g, " ").replace(/\s*=\s*/g, "=").slice(0, TEXT_MAX).trim();
}

function field(text, name) {
	const m = new RegExp("(?:^|[\\s,(])" + name + "[=:]\\s*'?([0-9a-zA-Zx:._-]+)").exec(text);

	return m ? m[1] : undefined;
}

// Return: {spa} or {device, dpa} or {why}.
export function parse(model, pasted) {
	const text = clean(pasted);
	const memdev = field(text, "memdev") || (/\b(mem\d+|cxl-[0-9a-f-]+)\b/.exec(text) || [])[1];
	const serialText = field(text, "serial");
	const dpaText = field(text, "dpa");
	const hpaText = field(text, "hpa");
	const bare = /^\s*(0x[0-9a-f]+)\s*$/i.exec(text);
	const pair = /^\s*(\S+)\s+(?:DPA\s+)?(0x[0-9a-f]+)\s*$/i.exec(text);
	const pfn = /Memory failure: (0x[0-9a-f]+):/i.exec(text) || /\bpfn[ :=]+(0x[0-9a-f]+)/i.exec(text) || /\bpage:(0x[0-9a-f]+)/i.exec(text);
	const physical = /(?:physical address|\bADDR|\bSPA)[:=]?\s*((?:0x)?[0-9a-f]{4,16})\b/i.exec(text);

	if (bare)
		return {spa: number(bare[1])};
	if (dpaText !== undefined || pair) {
		const dpa = dpaText === undefined ? number(pair[2]) : number(dpaText, true);
		const name = dpaText === undefined ? pair[1] : memdev;
		// A memN is another device after a reboot; a serial number is not.
		const device = findDevice(model, name, serialText && /^\d+$/.test(serialText) ? serialText : undefined);

		if (dpa === undefined)
			return {why: "Its device address is not a number."};
		return device ? {device, dpa} : {why: "This host has no device " + (name || "") +
			(serialText ? " with the serial number " + serialText : "") + "."};
	}
	if (hpaText !== undefined && number(hpaText, true) !== ALL_ONES)
		return {spa: number(hpaText, true)};
	if (pfn)
		return {spa: number(pfn[1]) << PAGE_SHIFT};
	if (physical)
		return {spa: number(physical[1], true)};
	return {why: "No address was found in it. Give 0x…, a device and 0x…, or a line that has dpa=, hpa= or a physical address."};
}

function sentence(what, a, device) {
	const first = what.spa === undefined ? a.SystemPhysicalAddress : a.DevicePhysicalAddress;
	const last = what.spa === undefined ? a.SystemPhysicalAddressLast : a.DevicePhysicalAddressLast;
	const from = what.spa === undefined ? what.device.Name + " DPA 0x" + what.dpa.toString(16) :
		"SPA 0x" + what.spa.toString(16);

	if (first === undefined)
		return from + " has no address: " + (a.Reason || "the service gives no reason") + ".";
	return from + " is " + (what.spa === undefined ? "SPA " : (device ? device.Name : "a device") + " DPA ") + first +
		(a.Exact ? " (exact, " : " to " + last + " (an interval, ") + (a.TranslationSource || "no source") + ")" +
		(a.Exact || !a.Reason ? "." : ": " + a.Reason + ".");
}

// Asks the service. Return: {text, spa, uris} for the drawing, or {text} alone.
export async function locate(model, text) {
	const what = parse(model, text);

	if (what.why)
		return {text: what.why, uris: []};
	const answer = what.spa !== undefined ?
		await post(SYSTEM + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA", {SystemPhysicalAddress: "0x" + what.spa.toString(16)}) :
		await post(what.device.uri + "/Actions/Oem/CXLHostMemory.TranslateDPA", {DevicePhysicalAddress: "0x" + what.dpa.toString(16)});
	const device = what.device || model.byUri.get(link(answer.Memory));
	const region = model.byUri.get(link(answer.MemoryChunks));
	const spa = what.spa ?? (answer.SystemPhysicalAddress === undefined ? undefined : BigInt(answer.SystemPhysicalAddress));

	return {text: sentence(what, answer, device), spa, device, region, node: answer.NUMANode,
		uris: [device, region, region && region.window].filter(Boolean).map((x) => x.uri)};
}

export function drawFound(result) {
	replace(id("found"), el("p", {}, result.text),
		el("p", {class: "row"},
			result.device ? el("a", {href: "#devices/" + encodeURIComponent(result.device.Id)}, result.device.Name) : null,
			result.region ? el("a", {href: "#map/" + encodeURIComponent(result.region.Id)}, result.region.Name) : null,
			result.node !== undefined ? "node " + result.node : null,
			result.region && result.spa !== undefined ? el("a", {href: "#map/" + rangeAround(result.spa)}, "on the map") : null,
			result.uris.length ? el("a", {href: "#topology"}, "in the drawing") : null));
}
