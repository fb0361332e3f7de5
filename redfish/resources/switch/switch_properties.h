/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SWITCH_PROPERTIES_H
#define CXLR_REDFISH_RESOURCES_SWITCH_PROPERTIES_H

/*
 * Properties that a Switch and the resources of the device it is share: what its mailbox and the
 * host know of it. A value that only the mailbox knows is absent without it. Reads the view only;
 * any thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

/* Return: the PCI function by which the host has the switch. */
const char *switch_name(const struct fabric_switch *sw);

/* "SerialNumber". PCI knows numbers, no names of manufacturer and model: they are OEM properties.
 */
void put_switch_identity(const struct fabric_switch *sw, struct json_writer *w);

/* The same of a component that answered Identify, by that alone. */
void put_component_identity(const struct fmapi_identity *identity, struct json_writer *w);

/* OEM properties: VendorId, DeviceId, SubsystemVendorId and SubsystemId; those that are set. */
void put_component_ids(const struct fmapi_identity *identity, struct json_writer *w);

/* Return: a PCI function with the numbers that a component answered, and nothing else. */
struct pci_function component_function(const struct fmapi_identity *identity);

/*
 * OEM properties, where values of a switch, or of what is behind it, are from: Source "mailbox", or
 * "recorded" in a capture with Origin, what gave the answers.
 */
void put_switch_source(const struct switch_reading *r, struct json_writer *w);

/* The object "CXL" of a Switch; nothing when it had no member. */
void put_switch_cxl(const struct fabric_switch *sw, struct json_writer *w);

/* "Oem" of a Switch. */
void put_switch_oem(const struct fabric_switch *sw, struct json_writer *w);

#endif
