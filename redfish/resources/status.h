/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_STATUS_H
#define CXLR_REDFISH_RESOURCES_STATUS_H

/*
 * The property "Status": the findings of model/health.h and model/service_health.h as Redfish's
 * State, Health, HealthRollup and Conditions.
 *
 * The findings of a device are listed one by one in its Memory; the other resources of the device,
 * and those that contain it, refer to the Memory with Base.ConditionInRelatedResource. A device
 * without readings has no Health.
 *
 * Each function writes one property "Status"; any thread with a reference on the view.
 */

#include "common/json_writer.h"
#include "model/finding.h"

struct decoder;
struct fabric_bridge;
struct fabric_device;
struct fabric_port;
struct fabric_switch;
struct fabric_vcs;
struct fabric_vppb;
struct mailbox;
struct memdev;
struct region;
struct view;

/* Return: the State of a device as the kernel's driver has it, "Enabled" or "Disabled". */
const char *memdev_state(const struct memdev *m);

/* For resources without health: {"State": …} */
void put_state(struct json_writer *w, const char *state);

/* Memory: State by the kernel's driver, Updating while it sanitizes, UnavailableOffline while
 * its media is not ready; Health and all Conditions of the device. */
void put_status_of_memory(const struct view *v, const struct memdev *m, struct json_writer *w);

/* "ReportedHealth": what the device reports itself, Get Health Info, without incidents. */
void put_reported_health(const struct mailbox *mb, struct json_writer *w);

/* PCIeDevice, CXLLogicalDevice, MemoryDomain and MemoryChunks of a device: its Health, referring to
 * the Memory. */
void put_status_of_device(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w);

/* Chassis and FabricAdapter of a device: HealthRollup, referring to the Memory. */
void put_status_of_module(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w);

/* Resources of a device behind a switch: the parts of it that the host sees; only State without
 * them. */
void put_status_of_parts(const struct view *v, const struct fabric_device *d,
			 struct json_writer *w);

/*
 * The status of several devices and regions: HealthRollup, referring to each Memory and
 * MemoryChunks that is unhealthy, up to a limit.
 */

/* ComputerSystem and the host's Chassis: all devices, regions, incidents of devices that are not
 * there, and events without device. */
void put_status_of_host(const struct view *v, struct json_writer *w);

/* ---- status_fabric.c ---- */

/* Port: Health of its link (model/health_link.h), with the reason, or referring to the Port of the
 * switch that has it. */
void put_status_of_port(const struct view *v, const struct fabric_port *p, const char *state,
			struct json_writer *w);

/* Fabric: Health of all links, and HealthRollup with all devices. */
void put_status_of_fabric(const struct view *v, struct json_writer *w);

/* Zone: HealthRollup of the devices of this host, and of the links of those of another one. */
void put_status_of_host_zone(const struct view *v, struct json_writer *w);
void put_status_of_vcs_zone(const struct view *v, const struct fabric_vcs *vcs,
			    struct json_writer *w);

/* Connection of a region: Health of the region, and HealthRollup with its devices. */
void put_status_of_connection(const struct view *v, const struct region *region,
			      struct json_writer *w);

/* Connection that is a binding: Health of the device's link, and HealthRollup with the device. */
void put_status_of_binding(const struct view *v, const struct fabric_vppb *vppb,
			   struct json_writer *w);

/*
 * Switch: State by the kernel's driver, and Conditions for what could not be read from its mailbox.
 * Health is OK when all was read, a Warning when nothing was, and otherwise not known; HealthRollup
 * is that of its ports.
 */
void put_status_of_switch(const struct view *v, const struct fabric_switch *sw,
			  struct json_writer *w);

/* FabricAdapter of a host bridge: the devices below it. */
void put_status_of_bridge(const struct view *v, const struct fabric_bridge *bridge,
			  struct json_writer *w);

/* MemoryDomain: the devices that the window reaches, and its regions. */
void put_status_of_window(const struct view *v, const struct decoder *window,
			  struct json_writer *w);

/* MemoryChunks: Health of the region itself, with the reasons, and HealthRollup with its devices.
 */
void put_status_of_region(const struct view *v, const struct region *region, struct json_writer *w);

/* Manager: Health and conditions of the path to firmware, where addresses need it, and of the
 * recording of events. */
void put_status_of_service(const struct view *v, struct json_writer *w);

#endif
