/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FABRIC_H
#define CXLR_MODEL_FABRIC_H

/*
 * The CXL fabric of a host: the ports of host bridges, switches and devices, their links, the
 * initiators, and which regions and windows use them.
 *
 * In the snapshot an object knows its parent only; Redfish shows every connection from both ends,
 * by Ids. The fabric is built once for a snapshot, in time that grows linearly with the host, so
 * that a renderer only follows pointers. It is allocated from its caller's arena, refers to the
 * host and its Ids, and never changes; any thread may read it.
 *
 * A host bridge belongs to a socket when the NUMA nodes of its root ports, or else those of the
 * devices directly below, all belong to that socket. Otherwise its socket is unknown, and it is a
 * fabric adapter of the host. A host bridge of restricted devices (RCH, CXL 3.2 9.11) has no
 * port in the kernel: its device is attached to a dport of the root, which represents its link.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "sysfs/host.h"
#include "sysfs/stable_id.h"

/* Singly linked, in the order of insertion. */
struct fabric_item {
	void *object; /* const where the snapshot's */
	struct fabric_item *next;
};

struct fabric_list {
	struct fabric_item *first, *last;
	size_t n;
};

enum fabric_port_kind {
	FABRIC_HOST_PORT, /* of a host bridge: a root port, or the link of an RCH */
	FABRIC_SWITCH_UP,
	FABRIC_SWITCH_DOWN,
	FABRIC_DEVICE_PORT,
};

struct fabric_port {
	enum fabric_port_kind kind;
	const char *id;
	const char *owner_id;	   /* of the host bridge, the switch or the Memory it belongs to */
	const struct port *port;   /* the kernel's port; NULL for a device without endpoint */
	const struct dport *dport; /* FABRIC_HOST_PORT and FABRIC_SWITCH_DOWN */
	const struct pci_function *pci; /* NULL when it is none */
	struct fabric_list peers;	/* struct fabric_port: the other end of the link */

	struct fabric_bridge *bridge; /* FABRIC_HOST_PORT */
	struct fabric_switch *sw;     /* FABRIC_SWITCH_UP and FABRIC_SWITCH_DOWN */
	const struct memdev *memdev;  /* FABRIC_DEVICE_PORT */
	struct fabric_list regions;   /* FABRIC_DEVICE_PORT: struct fabric_region it is in */
};

struct fabric_bridge {
	const char *id;
	const char *name;	   /* the kernel's, "pci0000:0c" */
	const struct dport *dport; /* of the root; NULL unknown */
	struct fabric_initiator *initiator;
	struct fabric_port *ports;
	size_t n_ports;
	struct fabric_list windows; /* struct decoder */
	struct fabric_list devices; /* struct fabric_port: those below it, in the host's order */
};

struct fabric_switch {
	const char *id;
	const struct port *port;
	struct fabric_port up;
	struct fabric_port *down;
	size_t n_down;
};

/* Initiator of the host's transactions: a socket, or a host bridge whose socket is not known. */
struct fabric_initiator {
	const char *id;			    /* "CPU0", or that of the host bridge */
	const struct cpu_package *package;  /* NULL when not known */
	const struct fabric_bridge *bridge; /* NULL for a socket, which may have many */
	struct fabric_list ports;	    /* struct fabric_port */
	struct fabric_list regions;	    /* struct fabric_region */
};

struct fabric_region {
	const struct region *region;
	struct fabric_list initiators; /* struct fabric_initiator, once each */
	struct fabric_list targets;    /* struct fabric_port of its devices, once each */
};

struct fabric_window {
	const struct decoder *decoder;
	struct fabric_list devices; /* struct fabric_port: those it reaches, in the host's order */
};

struct fabric {
	const struct host *host;
	bool exists;			      /* host_has_cxl() */
	struct fabric_list bridges;	      /* struct fabric_bridge */
	struct fabric_list initiators;	      /* struct fabric_initiator */
	struct fabric_initiator **by_package; /* for each of the host's; NULL when it is none */
	size_t n_adapters;		      /* those that are no sockets */
	struct fabric_list switches;	      /* struct fabric_switch */
	struct fabric_list regions;	      /* struct fabric_region; those in a window */
	struct fabric_port *devices;	      /* one for each memdev, by address */
	size_t n_devices;
	struct fabric_window *windows; /* one for each root decoder, by address */
	size_t n_windows;
};

/*
 * fabric_new() - build the fabric of a snapshot
 * @a: holds the fabric
 * @host, @ids: must live as long as the fabric
 *
 * Return: the fabric, NULL when out of memory.
 */
struct fabric *fabric_new(struct arena *a, const struct host *host, const struct memdev_ids *ids);

/* Return: the port of a memdev of the host, NULL for any other pointer. */
struct fabric_port *fabric_device_port(const struct fabric *f, const struct memdev *memdev);

/* Return: the devices that a root decoder of the host reaches, in the host's order. */
const struct fabric_list *fabric_window_devices(const struct fabric *f,
						const struct decoder *window);

/* Return: the host bridge above a port, NULL when the path to it is not known. */
const struct fabric_bridge *fabric_bridge_of(const struct fabric_port *p);

/* Return: the initiator of a socket, NULL when no host bridge is known to belong to it. */
const struct fabric_initiator *fabric_initiator_of(const struct fabric *f,
						   const struct cpu_package *package);

/* Return: whether the host uses the region, that is, whether its driver is bound. */
bool fabric_region_in_use(const struct fabric_region *fr);

#endif
