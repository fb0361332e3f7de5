// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/config.h"

#include <errno.h>
#include <stdio.h>

#include "common/array.h"
#include "common/error.h"
#include "common/log.h"
#include "common/options.h"
#include "daemon/events.h"
#include "daemon/device_poller.h"
#include "http/access.h"
#include "http/listener.h"
#include "redfish/eventing/event_service.h"

enum { EXIT_USAGE = 2 };

struct command_line {
	struct config config;
	bool help, version;
};

static const struct option_row option_rows[] = {
	{
		.name = "host",
		.argument = "PATH",
		.help = "show a captured host (a directory, or a .tar.zst archive made by 'cxl-spa "
			"capture') instead of this machine",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.host),
	},
	{
		.name = "tables",
		.argument = "FILE",
		.help = "read the ACPI tables CEDT, PRMT, SRAT and HMAT from FILE, the output of "
			"acpidump or a table.dat of acpixtract, where the host shows none; can be "
			"given several times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.tables),
		.not_empty = true,
	},
	{
		.name = "listen",
		.argument = "URL",
		.help = "accept connections at https://ADDRESS:PORT or http://ADDRESS:PORT, with "
			"an IPv4 address or an IPv6 address in brackets (port 0: any free port), "
			"or at unix:PATH; required, and can be given up to 16 times. http:// "
			"with an address that is not a loopback address only redirects to the "
			"https:// listener, except for --read-only-peer",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.listen),
	},
	{
		.name = "state",
		.argument = "DIRECTORY",
		.help = "store the event log and the subscriptions in this directory, which is "
			"created with mode 0700 if it is missing; without it no events are read",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.state),
	},
	{
		.name = "password-file",
		.argument = "FILE",
		.help = "the first line of FILE is the password of the account 'admin'; required "
			"for http:// and https:// listeners. Without it, no login is required on a "
			"unix: "
			"socket, which "
			"has mode 0660",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.password_file),
	},
	{
		.name = "tls-certificate",
		.argument = "FILE",
		.help = "the certificate of https:// listeners, with its chain (PEM); without it "
			"one is made and stored in the state directory",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.tls_certificate),
		.not_empty = true,
	},
	{
		.name = "tls-key",
		.argument = "FILE",
		.help = "the private key of --tls-certificate (PEM, not encrypted)",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.tls_key),
		.not_empty = true,
	},
	{
		.name = "client-ca",
		.argument = "FILE",
		.help = "accept TLS clients with certificates of the certificate authorities in "
			"FILE (PEM); can be given several times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.client_ca),
		.not_empty = true,
	},
	{
		.name = "read-only-peer",
		.argument = "ADDRESS",
		.help = "let the clients at this address, or with ADDRESS/PREFIX at all with the "
			"same first bits, read without login at http:// listeners that only "
			"redirect others; can be given up to 16 times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.read_only_peers),
	},
	{
		.name = "poll",
		.argument = "SECONDS",
		.help = "read the health of the devices at this interval, default 30",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.poll_seconds),
		.max = POLL_SECONDS_MAX,
	},
	{
		.name = "max-events",
		.argument = "N",
		.help = "largest number of log entries, default 100000",
		.set = option_set_u64,
		.offset = offsetof(struct command_line, config.max_events),
		.max = CONFIG_EVENTS_MAX,
	},
	{
		.name = "max-event-age",
		.argument = "DAYS",
		.help = "remove log entries that were stored more than DAYS days ago, default no "
			"limit",
		.set = option_set_u64,
		.offset = offsetof(struct command_line, config.max_event_days),
		.max = CONFIG_DAYS_MAX,
	},
	{
		.name = "never-overwrite",
		.help = "reject new events when the log is full, instead of removing the oldest "
			"entries",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, config.never_overwrite),
	},
	{
		.name = "metrics",
		.argument = "URL",
		.help = "serve event counters at /metrics of this URL, written as for --listen, "
			"without login; http://127.0.0.1:PORT can be reached from this machine "
			"only",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.metrics),
	},
	{
		.name = "push-attempts",
		.argument = "N",
		.help = "how often an event is sent again to a subscriber that cannot be reached, "
			"default 3",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.push_attempts),
		.max = RETRY_ATTEMPTS_MAX,
	},
	{
		.name = "push-interval",
		.argument = "SECONDS",
		.help = "time between two attempts, default 60",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.push_seconds),
		.max = RETRY_SECONDS_MAX,
	},
	{
		.name = "push-ca",
		.argument = "FILE",
		.help = "verify the certificates of subscribers by the CA certificates in FILE "
			"(PEM), instead of the system's",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.push_ca),
	},
	{
		.name = "version",
		.help = "print the version of this program",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, version),
		.stop = true,
	},
	{
		.name = "help",
		.help = "print this help",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, help),
		.stop = true,
	},
};

static const struct option_table options = {option_rows, ARRAY_SIZE(option_rows)};

static void print_help(void)
{
	(void)puts("Usage: cxl-redfishd [OPTION...] --listen URL...\n\n"
		   "Shows the CXL memory of this host as Redfish resources, and translates its "
		   "addresses.\n\n"
		   "Options:");
	options_print(stdout, &options, 0);
	(void)puts("\nSignals: SIGHUP reads the topology again, SIGTERM and SIGINT end the "
		   "service.\n\n"
		   "Exit status:\n"
		   "  0  ended by a signal\n"
		   "  1  the service could not start\n"
		   "  2  wrong usage\n\n"
		   "Manual page: cxl-redfishd(8)");
}

static bool has_tls_listener(const struct config *c)
{
	struct listener_spec spec;

	for (size_t i = 0; i < c->listen.n; i++)
		if (listener_check(c->listen.items[i], &spec, NULL) >= 0 &&
		    spec.transport == HTTP_OVER_TLS)
			return true;
	return false;
}

static int config_check_tls(const struct config *c, struct error *e)
{
	struct http_peers peers;
	struct listener_spec spec;

	if (!c->tls_certificate != !c->tls_key)
		return error_set(e, EINVAL,
				 "--tls-certificate FILE and --tls-key FILE are given together");
	for (size_t i = 0; i < c->read_only_peers.n; i++)
		if (http_peers_parse(c->read_only_peers.items[i], &peers, e) < 0) {
			error_prefix(e, "--read-only-peer");
			return -EINVAL;
		}
	for (size_t i = 0; i < c->listen.n && c->read_only_peers.n == 0; i++)
		if (listener_check(c->listen.items[i], &spec, NULL) >= 0 &&
		    spec.transport == HTTP_OVER_TCP && !spec.is_loopback && !has_tls_listener(c))
			return error_set(e, EINVAL,
					 "--listen %s is refused: without encryption a password "
					 "could be read on the network. Listen on https:// at this "
					 "address, or name the clients that may read without login "
					 "by --read-only-peer",
					 c->listen.items[i]);
	return 0;
}

/* Checks that concern several options. */
static int config_check(const struct config *c, struct error *e)
{
	struct listener_spec spec;

	if (c->metrics && listener_check(c->metrics, &spec, e) < 0)
		return -EINVAL;
	if (c->metrics && spec.transport == HTTP_OVER_TLS)
		return error_set(e, EINVAL,
				 "--metrics %s: the counters are served without TLS; give an "
				 "http:// or unix: URL",
				 c->metrics);
	if (config_check_tls(c, e) < 0)
		return -EINVAL;
	if (c->listen.n == 0)
		return error_set(e, EINVAL,
				 "no listener is configured: give --listen at least once");
	for (size_t i = 0; i < c->listen.n; i++) {
		if (listener_check(c->listen.items[i], &spec, e) < 0)
			return -EINVAL;
		if (spec.transport != HTTP_OVER_UNIX && !c->password_file)
			return error_set(
				e, EINVAL,
				"--listen %s is refused without a password, because "
				"every client that can reach the port could use the service: "
				"give --password-file FILE, or listen on unix:PATH only",
				c->listen.items[i]);
	}
	return 0;
}

bool config_parse(int argc, char **argv, struct config *ret, int *ret_exit)
{
	struct command_line line = {.config = {.poll_seconds = POLL_SECONDS_DEFAULT,
					       .max_events = EVENTS_MAX_DEFAULT,
					       .push_attempts = RETRY_ATTEMPTS_DEFAULT,
					       .push_seconds = RETRY_SECONDS_DEFAULT}};
	struct option_result result = {0};
	struct error e = {0};
	int r;

	*ret_exit = 0;
	r = options_parse(&options, argc, argv, &line, &result, &e);
	if (r == 0 && line.help) {
		print_help();
		return false;
	}
	if (r == 0 && line.version) {
		(void)puts("cxl-redfishd " PACKAGE_VERSION);
		return false;
	}
	if (r == 0 && result.n_operands)
		r = error_set(&e, EINVAL, "unexpected argument '%.64s'", result.operands[0]);
	if (r == 0)
		r = config_check(&line.config, &e);
	if (r < 0) {
		log_err("%s (see cxl-redfishd --help)", e.text);
		*ret_exit = EXIT_USAGE;
		return false;
	}
	*ret = line.config;
	return true;
}
