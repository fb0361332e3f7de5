/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SYSTEM_ID_H
#define CXLR_REDFISH_SYSTEM_ID_H

/*
 * The Ids by which clients know this host among others (--system-id), and the only place where URIs
 * have them.
 *
 * The service itself has the default Ids in all URIs, as uris.h makes them: in the index of a view,
 * in the event log and in the state database, so that what was stored before the Id was changed
 * names the same resources after it. A URI is turned into what clients see when it is rendered,
 * put_link() of odata.h does that, and turned back when it was received. With another Id than the
 * default one,
 *
 *	Systems/Host, Chassis/Host, Managers/Service and Fabrics/CXL	have it in place of theirs
 *	an Id below Chassis, Systems/../Memory, Systems/../FabricAdapters, FirmwareInventory,
 *	MetricReports, and in the collections of the fabric		begins with it and '-',
 *unless it has a unique serial number
 *
 * An Id is set once, before the first view, and never changes in a process. Afterwards any thread.
 */

#include <stdbool.h>

#include "common/error.h"
#include "redfish/core/uris.h"

enum {
	SYSTEM_ID_MAX = 64, /* bytes of an Id */
	/* The own Id, and that before the Id of a member, with its '-'. */
	SHOWN_URI_MAX = RESOURCE_URI_MAX + 2 * (SYSTEM_ID_MAX + 1),
};

#define SYSTEM_ID_DEFAULT "Host"
#define MACHINE_ID_FILE	  "/etc/machine-id"

/*
 * system_id_check() - whether a text is "Host", "machine" or "name:NAME", with a NAME that can be
 * an Id
 *
 * Return: 0; -EINVAL.
 */
int system_id_check(const char *text, struct error *e);

/*
 * system_id_make() - the Id that a text stands for
 * @text: after system_id_check(); NULL: the default
 * @machine_id: the file that "machine" reads, MACHINE_ID_FILE
 *
 * Return: 0; a negative errno when the file has no machine id.
 */
int system_id_make(const char *text, const char *machine_id, char ret[static SYSTEM_ID_MAX + 1],
		   struct error *e);

/* The Id of this process. Before other threads begin. */
void system_id_set(const char *id);

/* Return: the Id of this process. */
const char *system_id_text(void);

/* Return: whether an Id other than the default is used, so that URIs are turned. */
bool system_id_is_used(void);

/*
 * system_id_show() - the URI that clients see
 * @uri: of a resource of this service, which may go on with a query or a fragment; another text is
 *       the same afterwards
 * @ret: memory for it
 *
 * Return: @uri or @ret.
 */
const char *system_id_show(const char *uri, char ret[static SHOWN_URI_MAX]);

/*
 * system_id_show_member() - the Id that clients see in place of the Id of a memory device
 *
 * Return: @id or @ret.
 */
const char *system_id_show_member(const char *id, char ret[static SHOWN_URI_MAX]);

/*
 * system_id_read() - the URI of this service that a client means
 * @shown: any text
 *
 * Return: true with @ret; false when the text has none of the Ids that clients see, so that there
 * is no such resource.
 */
bool system_id_read(const char *shown, char ret[static RESOURCE_URI_MAX]);

/*
 * system_id_read_any() - the same for a URI that need not exist, as that of a filter
 *
 * Return: @ret; @shown, when it cannot be that of a resource.
 */
const char *system_id_read_any(const char *shown, char ret[static RESOURCE_URI_MAX]);

#endif
