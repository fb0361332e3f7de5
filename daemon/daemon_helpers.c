// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The helpers of the daemon: where their programs are, and their start.
#include "daemon/daemon.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>

#include "change/protocol.h"
#include "common/allow.h"
#include "common/privileges.h"
#include "mailbox/switch_options.h"
#include "opener/protocol.h"
#include "pages/page_options.h"

/*
 * The one that the environment names; or the one beside this program, which is in a build
 * directory; or the installed one.
 */
const char *find_program(const char *name, const char *variable, char path[PATH_MAX])
{
	const char *given = secure_getenv(variable);
	char *slash;
	ssize_t n;

	if (given)
		return given;
	n = readlink("/proc/self/exe", path, PATH_MAX - NAME_MAX);
	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		(void)stpcpy(slash + 1, name);
	if (!slash || access(path, X_OK) < 0)
		(void)snprintf(path, PATH_MAX, PKGLIBEXECDIR "/%s", name);
	return path;
}

/* It listens only if it is configured, and an own one has the options of the start. */
static int start_switch_helper(struct daemon *d, struct error *e)
{
	static const struct helper_kind kind = {
		.name = "cxl-redfish-switch-helper",
		.socket = OPENER_SWITCH_SOCKET,
		.variable = "CXL_REDFISH_SWITCH_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN,
	};
	const bool may_change = (allow_bits(&d->config.allow) & ALLOW_FABRIC) != 0;
	const char *const options[] = {"--switch-mailbox", d->config.switch_mailbox,
				       may_change ? "--allow" : NULL, allow_name(ALLOW_FABRIC),
				       NULL};
	int r;

	if (!d->config.switch_mailbox)
		return 0;
	r = helper_start_client(&kind,
				find_program("cxl-redfish-switch-helper",
					     "CXL_REDFISH_SWITCH_HELPER", d->switch_program),
				options, &d->switch_helper);
	if (r < 0)
		return error_set(e, r, "the client of %s: %s", kind.name, strerror(-r));
	/* Nothing watches it: each call finds out whether it is there. */
	opener_set_up(d->switch_helper.opener, true);
	return 0;
}

/*
 * The system's is started by the first connection, when something is allowed, which can be later.
 * An own one is started now or never: it has the options of the start, and this process is about to
 * drop what its start needs.
 */
static int start_change_helper(struct daemon *d, struct error *e)
{
	static const struct helper_kind kind = {
		.name = "cxl-redfish-change-helper",
		.socket = OPENER_CHANGE_SOCKET,
		.variable = "CXL_REDFISH_CHANGE_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_RAWIO |
				UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_SYS_ADMIN,
	};
	const unsigned int bits = allow_bits(&d->config.allow) & ALLOW_HOST;
	const char *const options[] = {"--allow", allow_text(bits, ",", d->change_names), NULL};
	int r;

	if (bits == 0 && helper_starts_own(&kind))
		return 0;
	r = helper_start_client(&kind,
				find_program("cxl-redfish-change-helper",
					     "CXL_REDFISH_CHANGE_HELPER", d->change_program),
				options, &d->change_helper);
	if (r < 0)
		return error_set(e, r, "the client of %s: %s", kind.name, strerror(-r));
	d->changes = change_client_new_helper(d->change_helper.opener, CHANGE_SILENCE_MS);
	return d->changes ? 0 : error_set(e, ENOMEM, "out of memory");
}

/* As the change helper. */
static int start_page_helper(struct daemon *d, struct error *e)
{
	static const struct helper_kind kind = {
		.name = "cxl-redfish-page-helper",
		.socket = OPENER_PAGE_SOCKET,
		.variable = "CXL_REDFISH_PAGE_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN,
	};
	const unsigned int bits = allow_bits(&d->config.allow) & ALLOW_PAGE_HELPER;
	const bool fence = page_online_is_fence(d->config.page_on_online);
	const char *options[START_OPTIONS_MAX + 1] = {"--allow",
						      allow_text(bits, ",", d->page_names)};
	size_t n = 2;
	int r;

	if (d->config.offline_huge_pages)
		options[n++] = "--offline-huge-pages";
	if (fence) {
		options[n++] = "--page-on-online";
		options[n++] = "fence";
	}
	(void)snprintf(d->page_limit, sizeof(d->page_limit), "%u", d->config.pages.block);
	options[n++] = "--page-limit-block";
	options[n++] = d->page_limit;

	if (bits == 0 && helper_starts_own(&kind))
		return 0;
	r = helper_start_client(
		&kind,
		find_program("cxl-redfish-page-helper", "CXL_REDFISH_PAGE_HELPER", d->page_program),
		options, &d->page_helper);
	if (r < 0)
		return error_set(e, r, "the client of %s: %s", kind.name, strerror(-r));
	d->pages = page_client_new_helper(d->page_helper.opener, PAGE_SILENCE_MS);
	return d->pages ? 0 : error_set(e, ENOMEM, "out of memory");
}

int start_helpers(struct daemon *d, struct error *e)
{
	int r;

	/* A captured host has no helper, and has dropped what its files do not need. */
	if (d->root->captured)
		return 0;
	r = helper_link_new(
		find_program("cxl-redfish-helper", "CXL_REDFISH_HELPER", d->helper_program),
		&d->helper, e);
	if (r < 0)
		return r;
	d->root->opener = helper_link_opener(d->helper);
	r = start_switch_helper(d, e);
	if (r >= 0)
		r = start_change_helper(d, e);
	if (r >= 0)
		r = start_page_helper(d, e);
	if (r < 0)
		return r;
	r = capabilities_drop(0);
	return r < 0 ? error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r)) : 0;
}

/* helper_link_fn */
static void daemon_on_helper(void *userdata, const struct uevent *event)
{
	struct daemon *d = userdata;

	topology_walker_report(d->walker, event);
}

int attach_helper(struct daemon *d, struct error *e)
{
	return d->helper ? helper_link_attach(d->helper, d->event, daemon_on_helper, d, e) : 0;
}
