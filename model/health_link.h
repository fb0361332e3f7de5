/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_HEALTH_LINK_H
#define CXLR_MODEL_HEALTH_LINK_H

/*
 * The health of a port of the fabric: that of its link, with the finding it follows from.
 *
 * The mailbox of a switch reports the links of its physical ports. The host sees speed and lanes of
 * another port: its link is healthy when it is as fast as both ends allow, and otherwise
 * its health is not known, because a bridge in between may be virtual. Counters of errors never go
 * back, so that a single error would count for ever: they have no part in it, while incidents of
 * the event log have one in the health of their device (model/health.h).
 *
 * Plain values, computed from the fabric, which must live as long; any thread.
 */

#include "model/fabric.h"
#include "model/finding.h"
#include "model/health_level.h"
#include "model/switch_port.h"

enum { HEALTH_LINK_TEXT = 32 }; /* "64 GT/s x16" */

struct health_link {
	struct opt_int level; /* enum health_level; absent when it is not known */
	bool used;	      /* something is, or should be, at the other end */
	bool has_finding;
	struct finding finding; /* its texts are those below */
	char name[SWITCH_NAME_MAX];
	char now[HEALTH_LINK_TEXT], best[HEALTH_LINK_TEXT];
};

/* health_of_link() - @ret refers to itself, and must not be copied */
void health_of_link(const struct fabric_port *p, struct health_link *ret);

/*
 * Return: the port with the finding of this one's link: itself, or the physical port of a switch
 * that is the other end of the link.
 */
const struct fabric_port *health_link_reporter(const struct fabric_port *p);

/* health_link_text() - "64 GT/s x16"; "" when one of them is not known, 0. Return: @text. */
const char *health_link_text(unsigned int generation, unsigned int width,
			     char text[static HEALTH_LINK_TEXT]);

#endif
