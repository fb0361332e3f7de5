/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FABRIC_FIXTURE_H
#define CXLR_TESTS_LIB_FABRIC_FIXTURE_H

/*
 * Redfish's fixture with the names of its ports, and short ways to look at them.
 *
 * port1 belongs to the only socket, that of mem0 below it; the socket of port2 is unknown.
 */

#include "tests/lib/redfish_fixture.h"

#define CPU	   SYSTEM "/Processors/CPU0"
#define CPU_PORT   CPU "/Ports/port1.dport0" /* to mem0 */
#define ADAPTER	   SYSTEM "/FabricAdapters/root0.dport1"
#define FABRIC	   ROOT "/Fabrics/CXL"
#define I_CPU	   FABRIC "/Endpoints/I-CPU0"
#define I_ADAPTER  FABRIC "/Endpoints/I-root0.dport1"
#define T(n)	   FABRIC "/Endpoints/T-cxl-000000000000abc" #n
#define DEVICE(n)  ROOT "/Chassis/cxl-000000000000abc" #n "/FabricAdapters/1"
#define CONNECTION FABRIC "/Connections/region0"

/* Resources that add_switches() makes. */
#define UPPER  FABRIC "/Switches/switch-0000-0d-00.0"
#define LOWER  FABRIC "/Switches/port8"
#define DIRECT DEVICE(4) "/Ports/1"
#define DEEP   DEVICE(5) "/Ports/1"

extern struct fixture f;

/* Set up and tear down a test case: fixture_init(), with the view left to the test, and
 * fixture_done(). */
void start(void);
void stop(void);

/* Fails the test unless the resource has that at the path; NULL: unless it has nothing there. */
void expect(const char *uri, const char *path, const char *value);

/* Return: the items of an array of the resource, or of its Links; 0 when it has none. */
size_t members(const char *uri);
size_t links(const char *uri, const char *array);

/*
 * Fails the test unless what the links of the fabric's resources, of logical devices and of
 * memory domains lead to links back. Return: how many links that are.
 */
size_t links_are_answered(void);

struct port *port_above(const struct memdev *m);
struct dport *dport_above(const struct memdev *m);

/*
 * Behind port1: a switch with one device, then f.memdevs[2], and another switch, which has one
 * device, too, then f.memdevs[3].
 */
void add_switches(void);

#endif
