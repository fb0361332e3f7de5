// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/change/devices_util.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "tests/change/fake_attributes.h"

struct host_root devices_root;
struct change_context devices_context;
struct change_result result;
int (*devices_on_write)(const char *path, const char *value);

static int on_write(const char *path, const char *value)
{
	ck_assert_msg(devices_on_write != NULL, "%s was written to %s", value, path);
	return devices_on_write(path, value);
}

void devices_setup(void)
{
	fake_attribute_write = on_write;
	tree_setup_from("idle-7.3");
	fake_mailbox_setup();
	devices_on_write = NULL;
	set("sys/bus/cxl/devices/mem3/serial", "0xa\n");
	set("sys/bus/cxl/devices/mem3/ram/size", "0x80000000\n");
	set(NMEM_OF_MEM3 "/cxl/provider", "pmem3\n");
	set(NMEM_OF_MEM3 "/cxl/id", "10\n");
	set(NMEM_OF_MEM3 "/security", "disabled\n");
	set(NMEM_OF_MEM3 "/frozen", "0\n");
}

void devices_setup_used(void)
{
	fake_attribute_write = on_write;
	tree_setup();
	fake_mailbox_setup();
	devices_on_write = NULL;
}

void devices_enter(void)
{
	enter();
	devices_root = fake_live_root();
	devices_context = (struct change_context){.root = &devices_root, .image = -1};
}

void devices_teardown(void)
{
	(void)close(devices_root.dirfd);
	tree_teardown();
}

int devices_change(change_operation *operation, const struct change *c)
{
	memset(&result, 0, sizeof(result));
	return operation(&devices_context, c, host, &result);
}

struct change change_of(enum change_kind kind, const char *memdev)
{
	struct change c = {.kind = kind};

	(void)snprintf(c.object, sizeof(c.object), "%s", memdev);
	return c;
}

void must_be_refused(int r, int code, const char *text)
{
	ck_assert_msg(r == -code && result.error == r, "%d instead of %d: %s", r, -code,
		      result.text);
	ck_assert_msg(result.outcome == CHANGE_REFUSED, "outcome %u: %s", result.outcome,
		      result.text);
	ck_assert_msg(strstr(result.text, text) != NULL, "'%s' is not in '%s'", text, result.text);
}

void must_be_done(int r)
{
	ck_assert_msg(r == 0 && result.outcome == CHANGE_DONE, "%d: %s", r, result.text);
}
