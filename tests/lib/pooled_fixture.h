/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_POOLED_FIXTURE_H
#define CXLR_TESTS_LIB_POOLED_FIXTURE_H

/*
 * Redfish's fixture with a model of a switch whose mailbox is read and changed. It is MODEL_SMALL
 * (switch_model.h) with a second host:
 *
 *	port 0	this host	VCS 0: vPPB 1 is LD 0 of the MLD, vPPB 2 the SLD, 3 and 4 are free
 *	port 1	an MLD of four LDs
 *	port 2	an SLD
 *	port 5	another host	VCS 1: vPPB 1 is LD 1 of the MLD, vPPB 2 is free
 *
 * The host sees LD 0 as pooled.ld, which is region1, and the SLD as pooled.sld, which is idle. Its
 * devices are the same after a change: what a kernel would add or remove is left to the test. Each
 * request for a new reading reads the model again.
 *
 * Programs with this file have their own switch_access_open(), which opens the model.
 */

#include "tests/lib/fabric_fixture.h"
#include "tests/lib/switch_model.h"

#define MAILBOX	      "0000:0d:00.1"
#define SWITCH	      FABRIC "/Switches/switch-0000-0d-00.0"
#define SWITCH_PORT   SWITCH "/Ports/"
#define VPPB(vcs, n)  SWITCH "/VCSs/" #vcs "/VPPBs/" #n
#define MLD	      ROOT "/Chassis/dev-3d10000000000001"
#define MLD_DEVICE    MLD "/PCIeDevices/1"
#define MLD_LD(n)     MLD_DEVICE "/CXLLogicalDevices/" #n
#define MLD_DOMAIN    MLD "/MemoryDomains/1"
#define MLD_CHUNKS    MLD_DOMAIN "/MemoryChunks"
#define MLD_PORT      MLD "/FabricAdapters/1/Ports/1"
#define MLD_T(n)      FABRIC "/Endpoints/T-dev-3d10000000000001-" #n
#define I_HOST	      FABRIC "/Endpoints/I-CPU0"
#define I_OTHER	      FABRIC "/Endpoints/I-switch-0000-0d-00.0-P5"
#define CONNECTIONS   FABRIC "/Connections"
#define BINDING(v, n) CONNECTIONS "/switch-0000-0d-00.0-VCS" #v "-vPPB" #n

struct pooled {
	struct switch_model *model;
	struct switch_readings *readings;
	struct extent_plans *plans;
	struct memdev *ld, *sld;
	struct region *region;
	bool recorded, forbidden; /* of the readings: recorded, or without --allow=fabric */
	const char *token;	  /* of requests; NULL: root on the socket */
	/* Called once, when the service has read the switch again and begins its change: another
	 * manager is there first. NULL: nobody is. */
	void (*meanwhile)(void);
};

extern struct pooled pooled;

/* Set up and tear down a test case. @accounts: NULL: all may all */
void start_pooled(struct accounts *accounts);
void stop_pooled(void);

/* start_pooled() with an MLD that has dynamic capacity. Return: its model, until stop_pooled(). */
struct model_dcd *start_pooled_dynamic(struct accounts *accounts);

/* Reads the model, and shows what it reports. */
void show_pooled(void);

/*
 * change() - a request with If-Match
 * @of: the resource whose entity tag it is; NULL: without
 * @body: NULL none
 *
 * Return: the status.
 */
unsigned int change(enum http_method method, const char *uri, const char *of, const char *body);

/* Return: the status of a PATCH. */
unsigned int patch_pooled(const char *uri, const char *body);

/* Fails the test unless the @i-th message of the answer is of that key and has the text in it. */
void expect_message(size_t i, const char *key, const char *text);

#endif
