/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_REMOTE_FIXTURE_H
#define CXLR_TESTS_LIB_REMOTE_FIXTURE_H

/*
 * Redfish's fixture with a switch whose mailbox is known. Beside the host's view:
 *
 *	port 0	the host	VCS 0
 *	port 1	an SLD		vPPB 1 of VCS 0: remote.below[0]
 *	port 2	an MLD		LD 0 is bound to nothing, LD 1 to vPPB 2 of VCS 0: remote.below[1],
 *				LD 2 to vPPB 1 of VCS 1
 *	port 3	an SLD		vPPB 2 of VCS 1
 *	port 8	another host	VCS 1
 */

#include "tests/lib/fabric_fixture.h"
#include "tests/lib/switch_fixture.h"

#define SWITCH	   FABRIC "/Switches/switch-0000-0d-00.0"
#define SWITCH_LOG ROOT "/Chassis/switch-0000-0d-00.0/LogServices/FM"
#define MLD	   ROOT "/Chassis/dev-00000000000011d0"
#define MLD_DEVICE MLD "/PCIeDevices/1"
#define MLD_LD(n)  MLD_DEVICE "/CXLLogicalDevices/" #n
#define MLD_DOMAIN MLD "/MemoryDomains/1"
#define MLD_PORT   MLD "/FabricAdapters/1/Ports/1"
#define MLD_T(n)   FABRIC "/Endpoints/T-dev-00000000000011d0-" #n
#define SLD	   ROOT "/Chassis/dev-00000000000051d0"
#define SLD_T	   FABRIC "/Endpoints/T-dev-00000000000051d0"
#define OTHER_ZONE FABRIC "/Zones/switch-0000-0d-00.0-VCS1"
#define I_OTHER	   FABRIC "/Endpoints/I-switch-0000-0d-00.0-P8"

struct remote {
	struct switch_readings *readings;
	struct switch_reading *sw;
	struct vcs_reading *own, *other;
	struct device_reading *known, *mld, *sld; /* on ports 1 to 3 */
	struct memdev *below[2];		  /* of the host, behind the switch */
};

extern struct remote remote;

/* Set up and tear down a test case: start() and stop() with this; the view is left to the test. */
void start_remote(void);
void stop_remote(void);

/* Adds a record to a log: 128 bytes with that UUID, the severity of the log, and a handle. */
struct fmapi_record *made_record(enum fmapi_event_log log, enum fmapi_record_kind kind,
				 uint16_t handle);

#endif
