// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_change_send.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "mailbox/command.h"
#include "mailbox/fmapi_commands.h"

enum {
	ATTEMPTS = 5,  /* of a command that the switch says to retry */
	RETRY_MS = 20, /* between them */
};

int switch_change_wait(const struct switch_change_context *x, uint64_t until_ms)
{
	uint64_t now = clock_monotonic_ms();
	struct timespec t;

	if (x->wait)
		return x->wait(x->userdata, until_ms);
	if (now >= until_ms)
		return 0;
	t.tv_sec = (time_t)((until_ms - now) / 1000);
	t.tv_nsec = (long)((until_ms - now) % 1000 * 1000000);
	(void)nanosleep(&t, NULL);
	return 0;
}

int switch_change_pause(const struct switch_change_context *x, unsigned int ms)
{
	return switch_change_wait(x, clock_monotonic_ms() + ms);
}

static const char *send_error_text(int r)
{
	switch (r) {
	case -EACCES:
		return "cxl-redfish-switch-helper does not allow it (--allow=fabric)";
	case -EBADMSG:
		return "the reply is invalid";
	case -ECONNRESET:
		return "cxl-redfish-switch-helper has ended";
	case -EMSGSIZE:
		return "it is longer than the mailbox takes";
	case -ENODATA:
		return "answers of this switch are recorded";
	case -ENODEV:
		return "the switch does not respond";
	case -ETIMEDOUT:
		return "it was not completed in time, its effect is not known";
	default:
		return strerror(-r);
	}
}

/* @len: of the input, or an error of its encoder. Return: 0 with the reply of whatever code. */
static int send_once(const struct switch_change_context *x, struct cci_target target,
		     uint16_t opcode, const uint8_t *input, int len, struct cci_reply *ret,
		     struct error *e)
{
	const struct cci_request q = {
		.target = target,
		.opcode = opcode,
		.input = len > 0 ? input : NULL,
		.len = len > 0 ? (size_t)len : 0,
	};
	int r = len < 0 ? len : 0;

	if (r == -EINVAL)
		return error_set(e, r, "%s (%04xh): a value is out of its range",
				 fmapi_command_title(opcode), opcode);
	for (unsigned int i = 0; r == 0 && i < ATTEMPTS; i++) {
		r = cci_send(x->cci, &q, ret);
		if (r < 0 || (ret->return_code != MAILBOX_RETRY_REQUIRED &&
			      ret->return_code != MAILBOX_BUSY))
			break;
		r = switch_change_pause(x, RETRY_MS);
	}
	if (r == 0)
		return 0;
	return error_set(e, r, "%s (%04xh): %s", fmapi_command_title(opcode), opcode,
			 send_error_text(r));
}

int switch_change_send(const struct switch_change_context *x, struct cci_target target,
		       uint16_t opcode, const uint8_t *input, int len, struct cci_reply *ret,
		       struct error *e)
{
	int r = send_once(x, target, opcode, input, len, ret, e);

	if (r < 0 || ret->return_code == MAILBOX_SUCCESS)
		return r;
	return error_set(e, EIO, "%s (%04xh): %s", fmapi_command_title(opcode), opcode,
			 mailbox_return_code_name(ret->return_code));
}

int switch_change_decoded(int r, uint16_t opcode, struct error *e)
{
	return r < 0 ? error_set(e, r, "%s (%04xh): %s", fmapi_command_title(opcode), opcode,
				 send_error_text(r))
		     : 0;
}
