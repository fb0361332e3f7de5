// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>

#include "change/device_mailbox.h"
#include "change/operations.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/little_endian.h"
#include "model/memdev_change.h"

/* Set Alert Configuration (CXL 3.2 8.2.10.9.3.3): which alerts are set, which enabled, five values.
 */
enum { SET_ALERT_CONFIG = 0x4202, SET_ALERT_BYTES = 12 };

static const uint16_t alert_config[] = {0x4201};

static bool is_set(const struct change_alerts *a, size_t i)
{
	return a->fields >> i & 1;
}

static bool is_enabled(const struct change_alerts *a, size_t i)
{
	return a->enable >> i & 1;
}

static int check_form(const struct memdev *m, const struct change_alerts *a,
		      struct change_result *ret)
{
	const uint32_t all = (1U << MAILBOX_ALERTS) - 1;

	if (a->fields == 0 || (a->fields & ~all) || (a->enable & ~a->fields))
		return change_result_set(
			ret, EINVAL, CHANGE_REFUSED,
			"the alert thresholds of %s that are to be set are not valid", m->name);
	return 0;
}

static int check_alerts(const struct memdev *m, const struct change_alerts *a,
			const struct mailbox *now, struct change_result *ret)
{
	struct error e = {0};
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < MAILBOX_ALERTS; i++) {
		if (is_set(a, i))
			r = memdev_check_alert(now, i, &e);
		if (r == 0 && is_enabled(a, i))
			r = memdev_check_threshold(now, i, a->thresholds[i], &e);
	}
	return r < 0 ? change_refuse(m, &e, ret) : 0;
}

static int verify(const struct memdev *m, const struct change_alerts *a, const struct mailbox *now,
		  struct change_result *ret)
{
	for (unsigned int i = 0; i < MAILBOX_ALERTS; i++) {
		const struct mailbox_alert *one = &now->alerts[i];

		if (!is_set(a, i))
			continue;
		if (is_enabled(a, i) ? one->valid && one->warning.present &&
					       one->warning.value == a->thresholds[i]
				     : !one->valid)
			continue;
		return change_result_set(
			ret, EIO, CHANGE_INCOMPLETE,
			"%s accepted the warning threshold of %s, but Get Alert Configuration does not show it",
			m->name, alert_range(i)->name);
	}
	return 0;
}

static int send_alerts(const struct device_mailbox *mb, const struct change_alerts *a,
		       struct change_result *ret)
{
	uint8_t input[SET_ALERT_BYTES] = {(uint8_t)a->fields, (uint8_t)a->enable,
					  (uint8_t)a->thresholds[ALERT_LIFE_USED]};

	for (unsigned int i = ALERT_OVER_TEMPERATURE; i < MAILBOX_ALERTS; i++)
		put_le16(input + 2 + 2 * i, (uint16_t)a->thresholds[i]);
	return device_mailbox_change(mb, SET_ALERT_CONFIG, input, ret);
}

int change_alerts(const struct change_context *x, const struct change *c, const struct host *host,
		  struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	_cleanup_(device_mailbox_close) struct device_mailbox mb = {.fd = -1};
	struct mailbox now;
	int r = m ? check_form(m, &c->alerts, ret) : ret->error;

	if (r == 0)
		r = device_mailbox_open(x->root, m, &mb, ret);
	if (r == 0)
		r = device_mailbox_read(&mb, alert_config, ARRAY_SIZE(alert_config), &now,
					CHANGE_REFUSED, ret);
	if (r == 0)
		r = check_alerts(m, &c->alerts, &now, ret);
	if (r == 0)
		r = send_alerts(&mb, &c->alerts, ret);
	if (r == 0)
		r = device_mailbox_read(&mb, alert_config, ARRAY_SIZE(alert_config), &now,
					CHANGE_UNKNOWN, ret);
	return r < 0 ? r : verify(m, &c->alerts, &now, ret);
}
