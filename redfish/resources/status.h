/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_STATUS_H
#define CXLR_REDFISH_RESOURCES_STATUS_H

/*
 * "Status" of what can be unhealthy, and why: the one place that turns what devices and firmware
 * say of themselves into Redfish's State, Health, HealthRollup and Conditions.
 *
 * A device's health is what its Get Health Info says (DSP0288 1.2.0, rows 22, 26 and 27 with
 * comments 3 and 4). Memory is where its conditions are listed one by one; everything else of the
 * device and around it refers to the Memory with Base.ConditionInRelatedResource. A device
 * is also as unhealthy as its unresolved log entries say. One that was not heard has no Health,
 * which is not the same as OK: neither has what rolls it up, unless another device is known to be
 * unhealthy.
 *
 * All functions write one property "Status" and may be called by any renderer.
 */

#include "common/json_writer.h"

struct memdev;
struct view;

/* For resources without a health of their own: {"State": …} */
void put_state(struct json_writer *w, const char *state);

/* Return: enum health of a device as put_status_of_memory() shows it; absent when it does not. */
struct opt_int health_of_memory(const struct view *v, const struct memdev *m);

/* Memory: State by the kernel's driver, Health and all Conditions of the device. */
void put_status_of_memory(const struct view *v, const struct memdev *m, struct json_writer *w);

/* What the device also is, PCIeDevice and CXLLogicalDevice: its Health, referring to the Memory. */
void put_status_of_device(const struct view *v, const struct memdev *m, const char *state,
			  struct json_writer *w);

/* What the device is in, its Chassis: HealthRollup, referring to the Memory. */
void put_status_of_module(const struct view *v, const struct memdev *m, struct json_writer *w);

/* What all devices are in, ComputerSystem and the host's Chassis: HealthRollup over all of them,
 * referring to each Memory that is unhealthy. */
void put_status_of_host(const struct view *v, struct json_writer *w);

/* The Manager: conditions of firmware that is needed for addresses and does not do its part, and of
 * the recording of events. */
void put_status_of_service(const struct view *v, struct json_writer *w);

#endif
