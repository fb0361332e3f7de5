// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What needs attention: firmware that is needed for addresses and does not do its part.
#include "redfish/resources.h"

#include <stdio.h>

#include "prm/firmware.h"
#include "redfish/view.h"

#define REGISTRY "CXLHost.1.0."

/* What the client says is without capital and stop. */
static void put_sentence(struct json_writer *w, const char *key, const char *text)
{
	char sentence[FIRMWARE_TEXT_MAX * 2];

	if (!text)
		return;
	(void)snprintf(sentence, sizeof(sentence), "%c%s.", text[0] & ~0x20, text + 1);
	put_string(w, key, sentence);
}

/* @text is the only argument of the message, behind @opening. */
static void put_condition(struct json_writer *w, const char *id, const char *opening,
			  const char *text, const char *resolution)
{
	char message[FIRMWARE_TEXT_MAX * 2];

	(void)snprintf(message, sizeof(message), "%s: %s.", opening, text);
	put_object(w, NULL);
	put_format(w, "MessageId", REGISTRY "%s", id);
	put_array(w, "MessageArgs");
	put_string(w, NULL, text);
	put_end(w);
	put_string(w, "Message", message);
	put_string(w, "Severity", "Warning");
	put_sentence(w, "Resolution", resolution);
	put_end(w);
}

static bool is_well(const struct view *v)
{
	return !v->needs_firmware ||
	       (v->firmware.state == FIRMWARE_READY && !v->firmware.rejected[0]);
}

static void put_conditions(const struct view *v, struct json_writer *w)
{
	const struct firmware_status *s = &v->firmware;

	put_array(w, "Conditions");
	if (s->state == FIRMWARE_SLOW)
		put_condition(w, "FirmwareSlow", "Addresses may have no exact translation", s->text,
			      firmware_state_advice(s->state));
	else if (s->state != FIRMWARE_READY)
		put_condition(w, "FirmwareUnavailable", "Addresses have no exact translation",
			      s->text, firmware_state_advice(s->state));
	if (s->rejected[0])
		put_condition(w, "FirmwareAnswerRejected",
			      "Firmware gave an answer that cannot be true", s->rejected,
			      "ask the machine's vendor for firmware with a sound PRM handler");
	put_end(w);
}

void put_state_and_conditions(const struct view *v, struct json_writer *w, const char *state)
{
	put_object(w, "Status");
	put_string(w, "State", state);
	if (!is_well(v))
		put_conditions(v, w);
	put_end(w);
}

void put_firmware(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	if (!view_memdev_needs_firmware(v, m))
		return;
	put_object(w, "Firmware");
	put_string(w, "State", firmware_state_name(v->firmware.state));
	put_string(w, "Text", v->firmware.text);
	put_end(w);
}
