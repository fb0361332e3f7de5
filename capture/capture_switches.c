// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/capture_private.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "mailbox/cci_recorded.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_reader.h"

/* cci_record_fn */
static void add_answer(void *userdata, const char *path, const void *data, size_t len)
{
	(void)capture_set_add(userdata, path, MEMBER_DATA, 0444, data, len);
}

/* Reads all of it by a CCI that records. */
static int record_switch(struct capture_set *set, struct cci *cci, const char *origin)
{
	_cleanup_switch_readings_ const struct switch_readings *readings = NULL;
	struct switch_source source = {.name = cci->name};
	struct switch_reader *reader = switch_reader_new();
	struct switch_readings *now = NULL;
	int r = reader ? cci_recorder_new(cci, origin, add_answer, set, &source.cci) : -ENOMEM;

	if (r == 0)
		r = switch_reader_read_sources(reader, &source, 1, SWITCH_READ_ALL, &now);
	(void)switch_reader_free(reader);
	(void)cci_free(source.cci);
	readings = now;
	for (size_t i = 0; r == 0 && i < now->switches[0].n_notes; i++)
		capture_set_missed(set, "mbox", now->switches[0].notes[i]);
	return r;
}

/* The machine that has a switch which is emulated is a virtual one. */
static const char *find_origin(const struct host_root *root)
{
	_cleanup_free_ char *vendor = NULL;

	if (host_root_read(root, "sys/devices/virtual/dmi/id/sys_vendor", 4096, &vendor, NULL) ==
		    0 &&
	    str_equal(str_chomp(vendor), "QEMU"))
		return CCI_ORIGIN_EMULATED;
	return CCI_ORIGIN_HARDWARE;
}

static void capture_function(struct capture_set *set, struct switch_access *access,
			     const struct switch_function *f, const char *origin)
{
	_cleanup_cci_ struct cci *cci = NULL;
	struct error e = {0};
	char path[64];

	(void)snprintf(path, sizeof(path), "mbox/switch-%s", f->name);
	if (f->reason[0])
		capture_set_missed(set, path, f->reason);
	else if (switch_access_open(access, f->name, &cci, &e) < 0)
		capture_set_missed(set, path, e.text);
	else if (record_switch(set, cci, origin) < 0)
		set->out_of_memory = true;
}

void capture_switches(struct capture_set *set, const struct host_root *root,
		      struct switch_access *access)
{
	struct switch_function functions[CCI_SWITCHES_MAX];
	const char *origin = find_origin(root);
	struct error e = {0};
	bool may_change;
	size_t n = 0;

	if (switch_access_list(access, functions, &n, &may_change, &e) < 0)
		capture_set_missed(set, "mbox", e.text);
	for (size_t i = 0; i < n; i++)
		capture_function(set, access, &functions[i], origin);
}
