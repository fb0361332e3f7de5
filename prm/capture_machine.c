// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Apart from capture_pairs.c, whose tests have no machine to read.
#include "prm/capture_pairs.h"

#include <stdio.h>
#include <string.h>

#include "prm/firmware.h"
#include "sysfs/host.h"

static int record_ready(struct firmware *fw, const struct translator *t, struct recording *ret)
{
	struct firmware_status status;

	firmware_status(fw, &status);
	/* A ready handler is recorded even when no decoder in use is Normalized. */
	if (status.state == FIRMWARE_READY)
		return record_pairs(t, ret);
	if (record_wanted(t))
		(void)snprintf(ret->missed, sizeof(ret->missed), "%s", status.text);
	return 0;
}

void record_machine(const struct host_root *root, struct recording *ret)
{
	struct translator *translator = NULL;
	struct firmware *firmware = NULL;
	const struct host *host = NULL;
	struct error e = {0};
	int r;

	*ret = (struct recording){0};
	r = host_read(root, &host, &e);
	if (r >= 0)
		r = firmware_new_opener(FIRMWARE_DEVICE, root->opener, &firmware);
	if (r >= 0)
		r = translator_new(host, firmware, &translator, &e);
	if (r >= 0)
		r = record_ready(firmware, translator, ret);
	if (r < 0)
		(void)snprintf(ret->missed, sizeof(ret->missed), "%s",
			       e.text[0] ? e.text : strerror(-r));
	(void)translator_unref(translator);
	(void)firmware_free(firmware);
	(void)host_unref(host);
}
