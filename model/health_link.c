// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/health_link.h"

#include <stdio.h>

#include "model/pcie_speed.h"

/* Speed, as a generation of PCIe, and lanes; 0: not known. */
struct lanes {
	unsigned int speed, width;
};

const char *health_link_text(unsigned int generation, unsigned int width,
			     char text[static HEALTH_LINK_TEXT])
{
	const char *speed = pcie_generation_name(generation);

	text[0] = '\0';
	if (speed && width)
		(void)snprintf(text, HEALTH_LINK_TEXT, "%s x%u", speed, width);
	return text;
}

/* Return: the other end, where there is one end only. */
static const struct fabric_port *peer_of(const struct fabric_port *p)
{
	return p->peers.n == 1 ? p->peers.first->object : NULL;
}

const struct fabric_port *health_link_reporter(const struct fabric_port *p)
{
	const struct fabric_port *peer = peer_of(p);

	return !p->physical && peer && peer->physical ? peer : p;
}

static struct lanes lanes_of(const char *speed, struct opt_u64 width)
{
	return (struct lanes){pcie_generation(speed),
			      width.present ? (unsigned int)width.value : 0};
}

static struct lanes most_of(const struct pci_function *pci)
{
	return pci ? lanes_of(pci->max_link_speed, pci->max_link_width) : (struct lanes){0};
}

static bool is_known(struct lanes l)
{
	return l.speed && l.width;
}

static bool reaches(struct lanes now, struct lanes most)
{
	return now.speed >= most.speed && now.width >= most.width;
}

static unsigned int lesser(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* @own, @other: the most that the two ends support */
static void judge(struct health_link *h, struct lanes now, struct lanes own, struct lanes other,
		  bool is_physical)
{
	const struct lanes best = {lesser(own.speed, other.speed), lesser(own.width, other.width)};
	const bool both = is_known(own) && is_known(other);

	if (!is_known(now))
		return;
	if ((is_known(own) && reaches(now, own)) || (both && reaches(now, best))) {
		h->level = OPT_INT(HEALTH_OK);
		return;
	}
	if (!both || !is_physical)
		return;
	h->has_finding = true;
	h->finding.code = FINDING_SWITCH_PORT_LINK_SLOW;
	h->finding.args[0] = finding_text(health_link_text(now.speed, now.width, h->now));
	h->finding.args[1] = finding_text(health_link_text(best.speed, best.width, h->best));
}

static void judge_down(struct health_link *h, const struct fmapi_port *s)
{
	h->has_finding = true;
	if (s->link_flags & FMAPI_LINK_POWER_OFF) {
		h->finding.code = FINDING_SWITCH_PORT_POWER_OFF;
	} else if (s->link_flags & FMAPI_LINK_PERST) {
		h->finding.code = FINDING_SWITCH_PORT_IN_RESET;
	} else {
		h->finding.code = FINDING_SWITCH_PORT_LINK_DOWN;
		h->finding.args[0] = finding_name(switch_ltssm_name(s->ltssm));
	}
}

/* Return: whether a device is there. The host above a switch may be off, or not connected. */
static bool has_device(const struct fmapi_port *s)
{
	if (s->config == FMAPI_PORT_USP)
		return false;
	return s->link_flags & FMAPI_LINK_PRESENT ||
	       (fmapi_port_has_device_type(s) && s->device_type != FMAPI_DEVICE_NONE);
}

/* Return: whether this host sees a link there, which contradicts a mailbox that reports none. */
static bool is_seen(const struct pci_function *pci)
{
	return pci && is_known(lanes_of(pci->current_link_speed, pci->current_link_width));
}

static void judge_physical(struct health_link *h, const struct fabric_port *p)
{
	const struct fmapi_port *s = &p->physical->state;
	const struct fabric_port *peer = peer_of(p);
	const enum switch_link link = switch_link_state(s);
	const bool is_seen_up = is_seen(p->pci) || (peer && is_seen(peer->pci));

	h->used = link == SWITCH_LINK_UP ||
		  (link == SWITCH_LINK_DOWN && (is_seen_up || has_device(s)));
	h->finding.object = switch_port_name(p, h->name);
	if (link == SWITCH_LINK_UP)
		judge(h, (struct lanes){s->speed, s->width},
		      (struct lanes){s->max_speed, s->max_width}, most_of(peer ? peer->pci : NULL),
		      true);
	else if (h->used && !is_seen_up && s->ltssm != FMAPI_LTSSM_DISABLED)
		judge_down(h, s);
}

void health_of_link(const struct fabric_port *p, struct health_link *ret)
{
	const struct fabric_port *by = health_link_reporter(p), *peer = peer_of(p);

	*ret = (struct health_link){.used = p->peers.n > 0};
	if (by->physical)
		judge_physical(ret, by);
	else if (p->pci && peer)
		judge(ret, lanes_of(p->pci->current_link_speed, p->pci->current_link_width),
		      most_of(p->pci), most_of(peer->pci), false);
	if (ret->has_finding)
		ret->level = OPT_INT((int)finding_severity(&ret->finding));
}
