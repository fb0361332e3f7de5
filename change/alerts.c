// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "change/device_mailbox.h"
#include "change/operations.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/little_endian.h"

/* Set Alert Configuration (CXL 3.2 8.2.10.9.3.3): which alerts are set, which enabled, five values.
 */
enum { SET_ALERT_CONFIG = 0x4202, SET_ALERT_BYTES = 12, PERCENT_MAX = 100 };

static const uint16_t alert_config[] = {0x4201};

/* One alert, in the order of the bits of CHANGE_ALERT_..., which are those of the command. */
struct alert {
	const char *name, *unit;
	int side; /* of its critical threshold: 1 above, -1 below, 0 it has none */
	int value;
	const struct mailbox_alert *now;
};

enum { ALERTS = 5 };

static void alerts_of(const struct change_alerts *a, const struct mailbox *now,
		      struct alert ret[static ALERTS])
{
	const struct alert alerts[ALERTS] = {
		{"life used", "percent", 1, a->life_used, &now->life_used},
		{"over-temperature", "degrees Celsius", 1, a->over_temperature,
		 &now->over_temperature},
		{"under-temperature", "degrees Celsius", -1, a->under_temperature,
		 &now->under_temperature},
		{"corrected volatile memory errors", "errors", 0, a->corrected_volatile,
		 &now->corrected_volatile},
		{"corrected persistent memory errors", "errors", 0, a->corrected_persistent,
		 &now->corrected_persistent},
	};

	memcpy(ret, alerts, sizeof(alerts));
}

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
	const uint32_t all = (1U << ALERTS) - 1;

	if (a->fields == 0 || (a->fields & ~all) || (a->enable & ~a->fields))
		return change_result_set(
			ret, EINVAL, CHANGE_REFUSED,
			"the alert thresholds of %s that are to be set are not valid", m->name);
	if ((a->fields & a->enable & CHANGE_ALERT_LIFE_USED) && a->life_used > PERCENT_MAX)
		return change_result_set(
			ret, EINVAL, CHANGE_REFUSED,
			"the threshold of life used of %s is at most %d percent, not %u", m->name,
			PERCENT_MAX, a->life_used);
	return 0;
}

/* A warning beyond the critical threshold would come after it. */
static int check_alert(const struct memdev *m, const struct alert *a, bool enable,
		       struct change_result *ret)
{
	if (!a->now->programmable)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"the warning threshold of %s of %s cannot be set: the device does not report it as programmable",
			a->name, m->name);
	if (enable && a->side != 0 && a->now->critical.present &&
	    a->side * a->value > a->side * a->now->critical.value)
		return change_result_set(
			ret, EINVAL, CHANGE_REFUSED,
			"a warning threshold of %s of %d %s is beyond the critical one of %s, %d",
			a->name, a->value, a->unit, m->name, a->now->critical.value);
	return 0;
}

static int check_alerts(const struct memdev *m, const struct change_alerts *a,
			const struct mailbox *now, struct change_result *ret)
{
	struct alert alerts[ALERTS];
	int r = 0;

	if (!now->has_alerts)
		return change_result_set(ret, EIO, CHANGE_REFUSED,
					 "%s: its answer to Get Alert Configuration is too short",
					 m->name);
	alerts_of(a, now, alerts);
	for (size_t i = 0; r == 0 && i < ALERTS; i++)
		if (is_set(a, i))
			r = check_alert(m, &alerts[i], is_enabled(a, i), ret);
	return r;
}

static int verify(const struct memdev *m, const struct change_alerts *a, const struct mailbox *now,
		  struct change_result *ret)
{
	struct alert alerts[ALERTS];

	alerts_of(a, now, alerts);
	for (size_t i = 0; i < ALERTS; i++) {
		const struct alert *one = &alerts[i];

		if (!is_set(a, i))
			continue;
		if (is_enabled(a, i) ? one->now->valid && one->now->warning.present &&
					       one->now->warning.value == one->value
				     : !one->now->valid)
			continue;
		return change_result_set(
			ret, EIO, CHANGE_INCOMPLETE,
			"%s accepted the warning threshold of %s, but Get Alert Configuration does not show it",
			m->name, one->name);
	}
	return 0;
}

static int send_alerts(const struct device_mailbox *mb, const struct change_alerts *a,
		       struct change_result *ret)
{
	uint8_t input[SET_ALERT_BYTES] = {(uint8_t)a->fields, (uint8_t)a->enable,
					  (uint8_t)a->life_used};

	put_le16(input + 4, (uint16_t)a->over_temperature);
	put_le16(input + 6, (uint16_t)a->under_temperature);
	put_le16(input + 8, a->corrected_volatile);
	put_le16(input + 10, a->corrected_persistent);
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
