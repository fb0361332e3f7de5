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
 *
 * With the mailbox of a switch (mailbox/switch_readings.h) there is more than the host sees: ports
 * without a bridge of this host, virtual switches, and the devices behind all ports. The
 * mailbox's objects are joined with the host's only where that is certain (fabric_switches.c and
 * fabric_join.c say how); otherwise both are there, each for itself, and the switch has the doubt.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "mailbox/switch_readings.h"
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
	const char *owner_id; /* of the host bridge, the switch or the Chassis it belongs to */
	/* The kernel's port; NULL for a device without endpoint, and for a port of a switch or a
	 * device that only the switch's mailbox knows. */
	const struct port *port;
	const struct dport *dport;	/* FABRIC_HOST_PORT and FABRIC_SWITCH_DOWN; NULL likewise */
	const struct pci_function *pci; /* NULL when it is none */
	struct fabric_list peers;	/* struct fabric_port: the other end of the link */
	/* As the host sees the link: of a device or an upstream bridge, the port above it, which
	 * may be a vPPB; its peer is the physical port then. NULL at the top, or not known. */
	struct fabric_port *above;

	struct fabric_bridge *bridge; /* FABRIC_HOST_PORT */
	struct fabric_switch *sw;     /* FABRIC_SWITCH_UP and FABRIC_SWITCH_DOWN */
	/* FABRIC_DEVICE_PORT; NULL of a device the host does not see */
	const struct memdev *memdev;
	const char *memory_id;	    /* with @memdev: of its Memory */
	struct fabric_list regions; /* FABRIC_DEVICE_PORT: struct fabric_region it is in */

	/* By the switch's mailbox; NULL when that is not known. A bridge with a vPPB that is no
	 * physical port is a vPPB only: fabric_port_is_virtual(). */
	const struct port_reading *physical; /* FABRIC_SWITCH_…: the physical port that it is */
	struct fabric_vppb *vppb; /* FABRIC_SWITCH_…: the vPPB that the host sees as it */
	/* FABRIC_DEVICE_PORT: itself, or the MLD that it is a part of; FABRIC_SWITCH_…: on the
	 * port */
	struct fabric_device *device;
	struct fabric_ld *ld; /* FABRIC_DEVICE_PORT: which part of the MLD; NULL: not known */
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

/* Why an object of the host and one of a mailbox are two, although they may be one. */
enum fabric_doubt_reason {
	DOUBT_NO_SERIAL_HERE,  /* the host reads no serial number, or 0 */
	DOUBT_NO_SERIAL_THERE, /* the mailbox does not */
	DOUBT_OTHER_SERIAL,    /* at one port, but the serial numbers differ */
	DOUBT_SHARED_HERE,     /* several devices of the host have it, not all of them of one MLD */
	DOUBT_SHARED_THERE,    /* several devices behind switches have it */
	DOUBT_SEVERAL,	       /* the host has several devices below one bridge */
	DOUBT_SEVERAL_VPPBS,   /* several vPPBs are bound to an undivided device */
	DOUBT_OTHER_PORT,      /* one serial number, but at different ports */
	DOUBT_PORT,	       /* one serial number, and the port of the host's is not known */
	DOUBT_VPPB,	       /* which vPPB a bridge is is not known */
	DOUBT_NUMBER,	       /* which port a bridge is is not known */
	DOUBT_REASONS,
};

struct fabric_doubt {
	enum fabric_doubt_reason reason;
	const struct fabric_port *host;	    /* a device of the host, or a bridge */
	const struct fabric_device *device; /* NULL of a bridge */
	const char *other; /* for people: the device at the port, or a port of the switch */
};

/* Doubts of one switch that are kept. */
enum { FABRIC_DOUBTS_MAX = 256 };

struct fabric_switch {
	const char *id;
	const struct port *port; /* NULL when only its mailbox is known */
	struct fabric_port up;	 /* as the host sees it; only with `port` */
	struct fabric_port *down;
	size_t n_down;

	const struct switch_reading *reading; /* NULL without its mailbox */
	struct fabric_port *others; /* physical ports that are none of the above, by their Ids */
	size_t n_others;
	struct fabric_vcs *vcs; /* by their Ids */
	size_t n_vcs;
	struct fabric_device *devices; /* those that answered through it, by their ports */
	size_t n_devices;
	struct fabric_list doubts; /* struct fabric_doubt; at most FABRIC_DOUBTS_MAX */
};

struct fabric_vppb {
	unsigned int index; /* in its VCS; 0 is the upstream one */
	const struct fmapi_vppb *state;
	struct fabric_vcs *vcs;
	struct fabric_port *port;   /* the physical port that it is bound to; NULL none */
	struct fabric_ld *ld;	    /* the LD that it is bound to; NULL none, or not known */
	struct fabric_port *bridge; /* what the host sees of it; NULL: nothing, or not certain */
};

struct fabric_vcs {
	const struct vcs_reading *reading;
	struct fabric_switch *sw;
	struct fabric_port *usp; /* its upstream port; NULL when it has none */
	bool own;		 /* the one of this host, through which its commands came */
	struct fabric_vppb *vppbs;
	size_t n_vppbs;
};

/* A logical device of an MLD behind a switch. */
struct fabric_ld {
	const struct ld_reading *reading;
	const char *id; /* decimal number */
	struct fabric_device *device;
	struct fabric_vppb *vppb;    /* that it is bound to; NULL none, or not known */
	const struct memdev *memdev; /* as the host sees it; NULL: it does not, or not certain */
	const char *memory_id;	     /* with @memdev: of its Memory */
};

/* A region of dynamic capacity that a host of a device has. */
struct fabric_dc_region {
	struct fabric_device *device;
	const struct dc_host_reading *host;
	const char *ld_id; /* of its logical device, decimal number */
	const char *id;	   /* "dc0" */
	unsigned int number;
	const struct fmapi_dc_region *reading;
	struct fabric_extent *first; /* of those that its host accepted, by their addresses */
	size_t n_extents;
};

/* An extent that a host accepted. */
struct fabric_extent {
	const struct fabric_dc_region *region;
	const struct fmapi_extent *reading;
	const char *id; /* "LD0-" and its first address, 16 digits */
};

/* An extent that is proposed, or that its host has not accepted yet. */
struct fabric_plan {
	const struct fabric_device *device;
	const struct extent_plan *plan;
	const char *id; /* "Proposed-1" */
};

/* A device on a port of a switch, as it answered through the switch's mailbox. */
struct fabric_device {
	/* The Id of its chassis: the one of @memdev, or its own: "dev-" and its serial number, or
	 * "SWITCH-pN" when it has none of its own. */
	const char *id;
	const struct device_reading *reading;
	bool serial_is_unique; /* its serial number is not 0, and no other device has it */
	struct fabric_switch *sw;
	struct fabric_port *port;    /* of the switch */
	const struct memdev *memdev; /* the same device as the host sees it, not divided; or NULL */
	struct fabric_list parts;    /* struct fabric_port: parts of it that the host sees */
	struct fabric_port own_port; /* without @memdev: its end of the link */
	struct fabric_ld *lds;
	size_t n_lds;
	struct fabric_dc_region *dc_regions; /* of all hosts */
	size_t n_dc_regions;
	struct fabric_extent *extents; /* of all of these regions */
	size_t n_extents;
	struct fabric_plan *plans;
	size_t n_plans;
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
	bool exists;			      /* host_has_cxl(), or the mailbox of a switch */
	struct fabric_list bridges;	      /* struct fabric_bridge */
	struct fabric_list initiators;	      /* struct fabric_initiator */
	struct fabric_initiator **by_package; /* for each of the host's; NULL when it is none */
	size_t n_adapters;		      /* those that are no sockets */
	struct fabric_list switches;	      /* struct fabric_switch */
	struct fabric_list remote_devices; /* struct fabric_device that are no memdev of the host */
	struct fabric_list regions;	   /* struct fabric_region; those in a window */
	struct fabric_port *devices;	   /* one for each memdev, by address */
	size_t n_devices;
	struct fabric_window *windows; /* one for each root decoder, by address */
	size_t n_windows;
};

/*
 * fabric_new() - build the fabric of a snapshot
 * @a: holds the fabric
 * @host, @ids, @switches: must live as long as the fabric; @switches: NULL without
 *
 * Return: the fabric, NULL when out of memory.
 */
struct fabric *fabric_new(struct arena *a, const struct host *host, const struct memdev_ids *ids,
			  const struct switch_readings *switches);

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

/* Return: whether the bridge of the host is a vPPB only, and none of the switch's ports. */
bool fabric_port_is_virtual(const struct fabric_port *p);

/* Return: the physical port that a bridge of the host is, or is a part of; NULL: not known. */
struct fabric_port *fabric_physical_port(struct fabric_port *bridge);

/* Return: the MLD that a device of the host is a part of; NULL: it is none, or not certain. */
const struct fabric_device *fabric_whole(const struct fabric_port *device);

/* Return: the Id of the LD that a device of the host is: "0" of one that is not known to be a
 * part; NULL of a part whose number is not known. */
const char *fabric_ld_id(const struct fabric_port *device);

/* Return: the only part of the device that the host sees; NULL: it sees none, or several. */
const struct fabric_port *fabric_only_part(const struct fabric_device *d);

/*
 * Return: the virtual switch that leads to an undivided device behind a switch; NULL when it is
 * bound to none, or that is not known.
 */
const struct fabric_vcs *fabric_device_vcs(const struct fabric_device *d);

/* Return: whether the VCS is another host's, reached through a known upstream port. */
bool fabric_vcs_is_of_other_host(const struct fabric_vcs *vcs);

/* Return: whether the switch reports an SLD on the port of the device: a device that is not
 * divided. */
bool fabric_device_is_sld(const struct fabric_device *d);

/*
 * Return: whether it has one logical device, 0: that of a device that is not divided, or of one
 * with dynamic capacity whose LDs are not known.
 */
bool fabric_device_has_ld0(const struct fabric_device *d);

/* Return: the memdev of the host that has this dynamic capacity; NULL: not this host's, or not
 * certain. */
const struct memdev *fabric_dc_memdev(const struct fabric_device *d,
				      const struct dc_host_reading *h);

/* Return: the PCIe serial number of the device if no other has it; absent otherwise. */
struct opt_u64 fabric_device_serial(const struct fabric_device *d);

/* Return: that of its device, which is a part of the GCXLID; absent when the LD reports another. */
struct opt_u64 fabric_ld_serial(const struct fabric_ld *ld);

/* Return: whether the host uses the region, that is, whether its driver is bound. */
bool fabric_region_in_use(const struct fabric_region *fr);

#endif
