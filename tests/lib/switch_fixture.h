/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SWITCH_FIXTURE_H
#define CXLR_TESTS_LIB_SWITCH_FIXTURE_H

/*
 * Readings of switches built by hand, field by field, so that a test can make any of them invalid
 * before it uses them. All is in the arena of the readings; the functions fail the test when they
 * cannot.
 */

#include "mailbox/switch_readings.h"
#include "tests/lib/model_host.h"

/* A switch with its identity and commands that come through port 0; without ports. */
struct switch_reading *made_switch(struct switch_readings *r, const char *name);

/* A port with a link that is up: 8 of 16 lanes at 16 of 32 GT/s; that of a DSP has an SLD. */
struct port_reading *made_port(struct switch_readings *r, struct switch_reading *sw, uint8_t id,
			       enum fmapi_port_config config);

/* The device on the port: of type 3, not divided. */
struct device_reading *made_device(struct switch_readings *r, struct port_reading *port,
				   uint64_t serial);

/* Makes it an MLD with LDs of 256 MiB. */
void made_lds(struct switch_readings *r, struct device_reading *device, size_t n);

/* An enabled VCS, whose first vPPB is bound to @usp; the others are not bound. */
struct vcs_reading *made_vcs(struct switch_readings *r, struct switch_reading *sw, uint8_t id,
			     uint8_t usp, size_t n_vppbs);

void made_note(struct switch_readings *r, struct switch_reading *sw, const char *note);

/*
 * Makes PCI functions of the switch's bridges, once it has all its dports: 0000:0d:00.0 is the
 * upstream one, 0000:0e:00.0, 01.0, ... are those of the dports. Their port numbers are 1, 2, ...,
 * their links 4 of 16 lanes at 16 of 32 GT/s.
 */
void made_bridges(struct model *m, struct port *sw);

#endif
