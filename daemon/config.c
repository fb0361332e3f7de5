// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/allow.h"
#include "common/array.h"
#include "common/host_name.h"
#include "common/option_files.h"
#include "common/strutil.h"
#include "daemon/boot_repairs.h"
#include "daemon/events.h"
#include "daemon/device_poller.h"
#include "daemon/page_rule.h"
#include "daemon/unit_defaults.h"
#include "http/access.h"
#include "http/hosts.h"
#include "http/listener.h"
#include "http/tls.h"
#include "mailbox/switch_options.h"
#include "pages/page_options.h"
#include "redfish/auth/cross_site.h"
#include "redfish/core/system_id.h"
#include "redfish/eventing/event_service.h"
#include "redfish/state/history.h"
#include "redfish/service/service.h"
#include "redfish/tasks/tasks.h"
#include "redfish/pages/page_limit_options.h"
#include "sysfs/acpi_dump.h"

static const struct {
	const char *name;
	enum log_level level;
} log_levels[] = {
	{"err", LOG_LEVEL_ERR},
	{"warning", LOG_LEVEL_WARNING},
	{"info", LOG_LEVEL_INFO},
};

/* option_setter */
static int set_log_level(const struct option_row *row, void *field, const char *argument,
			 struct error *e)
{
	(void)row;
	for (size_t i = 0; i < ARRAY_SIZE(log_levels); i++)
		if (str_equal(log_levels[i].name, argument)) {
			*(enum log_level *)field = log_levels[i].level;
			return 0;
		}
	return error_set(e, EINVAL, "requires err, warning or info, not '%.64s'", argument);
}

static int check_url(const char *argument, struct error *e)
{
	struct listener_spec spec;

	return listener_check(argument, &spec, e);
}

/* The counters are served without TLS. */
static int check_metrics_url(const char *argument, struct error *e)
{
	struct listener_spec spec;
	int r = listener_check(argument, &spec, e);

	if (r >= 0 && spec.transport == HTTP_OVER_TLS)
		r = error_set(
			e, EINVAL,
			"%s: the counters are served without TLS; give an http:// or unix: URL",
			argument);
	return r;
}

static int check_peers(const char *argument, struct error *e)
{
	struct cidr peers;

	return cidr_parse(argument, &peers, e);
}

static int check_allow(const char *argument, struct error *e)
{
	struct push_allow allow;

	if (argument[strspn(argument, " \t,")] == '\0')
		return error_set(e, EINVAL, "'%.64s' names no address", argument);
	return push_allow_parse(argument, &allow, e);
}

static const struct option_row option_rows[] = {
	{
		.name = "config",
		.argument = "FILE",
		.help = "read the configuration from FILE, and from the files FILE.d/*.conf, instead of " CONFIG_FILE,
		.set = option_set_text,
		.offset = offsetof(struct command_line, file),
		.not_key = true,
	},
	{
		.name = "check-config",
		.help = "check the configuration and the options, and exit",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, check),
		.not_key = true,
	},
	{
		.name = "host",
		.argument = "PATH",
		.help = "show a captured host (a directory, or a .tar.zst archive made by 'cxl-spa capture') instead of this machine",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.host),
		.at_start = true,
	},
	{
		.name = "system-id",
		.argument = "ID",
		.help = "name this host in URIs: Host (the default), machine (made of its machine id) or name:NAME, so that hosts differ for clients of many",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.system_id),
		.check = system_id_check,
		.at_start = true,
	},
	{
		.name = "tables",
		.argument = "FILE",
		.help = "read the ACPI tables CEDT, PRMT, SRAT and HMAT from FILE, the output of acpidump or a table.dat of acpixtract, where the host shows none; can be given several times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.tables),
		.at_start = true,
	},
	{
		.name = "listen",
		.argument = "URL",
		.help = "accept connections at https://ADDRESS:PORT or http://ADDRESS:PORT, with an IPv4 address or an IPv6 address in brackets (port 0: any free port), or at unix:PATH; required, and can be given up to 16 times. http:// with an address that is not a loopback address only redirects to the https:// listener, except for --read-only-peer",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.listen),
		.check = check_url,
	},
	{
		.name = "state",
		.argument = "DIRECTORY",
		.help = "store the event log, the subscriptions and the accounts in this directory, which is created with mode 0700 if it is missing; without it no events are read, and accounts cannot be changed",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.state),
		.at_start = true,
	},
	{
		.name = "password-file",
		.argument = "FILE",
		.help = "the first line of FILE is the password of the account 'admin', which is created if there is no account in the state directory; required for http:// and https:// listeners until then",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.password_file),
	},
	{
		.name = "allow-origin",
		.argument = "ORIGIN",
		.help = "let web pages of ORIGIN, http://HOST:PORT or https://HOST:PORT, use this service and read its replies; can be given up to 16 times, none by default",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.allow_origins),
		.check = origin_check,
	},
	{
		.name = "host-name",
		.argument = "NAME",
		.help = "answer requests without encryption for this name, too, beside the addresses of this host, localhost and the host's own name; can be given up to 16 times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.host_names),
		.check = host_name_check,
	},
	{
		.name = "tls-certificate",
		.argument = "FILE",
		.help = "the certificate of https:// listeners, with its chain (PEM); without it one is made and stored in the state directory",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.tls_certificate),
	},
	{
		.name = "tls-key",
		.argument = "FILE",
		.help = "the private key of --tls-certificate (PEM, not encrypted)",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.tls_key),
	},
	{
		.name = "client-ca",
		.argument = "FILE",
		.help = "accept TLS clients with certificates of the certificate authorities in FILE (PEM); can be given several times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.client_ca),
	},
	{
		.name = "client-crl",
		.argument = "FILE",
		.help = "refuse TLS clients whose certificates are revoked by the lists in FILE (PEM), each signed by an authority of --client-ca",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.client_crl),
	},
	{
		.name = "read-only-peer",
		.argument = "ADDRESS",
		.help = "let the clients at this address, or with ADDRESS/PREFIX at all with the same first bits, read without login at http:// listeners that only redirect others; can be given up to 16 times",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.read_only_peers),
		.check = check_peers,
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
		.name = "history-interval",
		.argument = "SECONDS",
		.help = "keep the readings of the devices at this interval, default 600",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.history_seconds),
		.min = HISTORY_INTERVAL_MIN_S,
		.max = HISTORY_DAY_S,
	},
	{
		.name = "history-age",
		.argument = "DAYS",
		.help = "remove readings that are older than DAYS days, default 30",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.history_days),
		.max = HISTORY_AGE_MAX_DAYS,
	},
	PAGE_LIMIT_OPTION_ROWS(struct command_line, config.pages),
	{
		.name = "page-limit-hour",
		.argument = "N",
		.help = "let the page policy take at most N pages out of use within an hour, default 16",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.pages.hour),
		.max = PAGE_LIMIT_TOTAL_MAX,
	},
	{
		.name = "page-age",
		.argument = "DAYS",
		.help = "forget a remembered page when the host has run so many days since, default never",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.pages.age_days),
		.max = PAGE_AGE_DAYS_MAX,
	},
	{
		.name = "page-policy",
		.argument = "MODE",
		.words = PAGE_POLICY_WORDS,
		.help = "take pages with uncorrectable errors or poison out of use: off (the default), observe (report only) or soft",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.page_policy),
	},
	{
		.name = "page-corrected",
		.argument = "RATE",
		.help = "let the page policy take a page out of use, too, that had N corrected errors within so many hours, written N/HOURS, default none",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.page_corrected),
		.check = page_corrected_check,
	},
	REPAIR_POLICY_OPTION_ROW(struct command_line, config.repair_policy),
	SWITCH_OPTION_ROW(struct command_line, config.switch_mailbox),
	ALLOW_OPTION_ROW(struct command_line, config.allow),
	PAGE_HUGE_OPTION_ROW(struct command_line, config.offline_huge_pages),
	PAGE_ONLINE_OPTION_ROW(struct command_line, config.page_on_online),
	{
		.name = "show-page-users",
		.help = "show administrators the memory cgroup that a page is charged to",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, config.show_page_users),
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
		.help = "remove log entries that were stored more than DAYS days ago, default no limit",
		.set = option_set_u64,
		.offset = offsetof(struct command_line, config.max_event_days),
		.max = CONFIG_DAYS_MAX,
	},
	{
		.name = "never-overwrite",
		.help = "reject new events when the log is full, instead of removing the oldest entries",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, config.never_overwrite),
	},
	{
		.name = "task-after",
		.argument = "SECONDS",
		.help = "answer a change that takes longer than this with 202 and a Task, default 1; more is for clients that do not follow tasks",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.task_seconds),
		.max = TASK_AFTER_MAX_S,
		.at_start = true,
	},
	{
		.name = "dc-timeout",
		.argument = "SECONDS",
		.help = "wait so long for a host that is offered dynamic capacity, or is to release some, default 60",
		.set = option_set_uint,
		.offset = offsetof(struct command_line, config.dc_timeout_seconds),
		.max = DC_TIMEOUT_MAX_S,
		.at_start = true,
	},
	{
		.name = "metrics",
		.argument = "URL",
		.help = "serve metrics at /metrics of this URL, written as for --listen, without login; http://127.0.0.1:PORT can be reached from this machine only",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.metrics),
		.check = check_metrics_url,
	},
	{
		.name = "push-attempts",
		.argument = "N",
		.help = "how often an event is sent again to a subscriber that cannot be reached, default 3",
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
		.name = "expect-cxl",
		.help = "report it as critical when this host shows no CXL memory, or its kernel has no CXL events; by default that is only stated",
		.set = option_set_flag,
		.offset = offsetof(struct command_line, config.expect_cxl),
	},
	{
		.name = "push-allow",
		.argument = "ADDRESS",
		.help = "post events only to subscribers at this address, or with ADDRESS/PREFIX at all with the same first bits; several have blanks or commas between, and the option can be given up to 16 times. Without it events are posted to all addresses but those of the loopback interface and of the link",
		.set = option_add_text,
		.offset = offsetof(struct command_line, config.push_allow),
		.check = check_allow,
	},
	{
		.name = "push-ca",
		.argument = "FILE",
		.help = "verify the certificates of subscribers by the CA certificates in FILE (PEM), instead of the system's",
		.set = option_set_text,
		.offset = offsetof(struct command_line, config.push_ca),
	},
	OTLP_OPTION_ROWS(struct command_line, config.otlp),
	SUNFISH_OPTION_ROWS(struct command_line, config.sunfish),
	{
		.name = "log-level",
		.argument = "LEVEL",
		.words = "err, warning, info",
		.help = "log messages of this level and of those above: err, warning, info (the default)",
		.set = set_log_level,
		.offset = offsetof(struct command_line, config.log_level),
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
	(void)puts(
		"Usage: cxl-redfishd [OPTION...]\n\n"
		"Shows the CXL memory of this host as Redfish resources, and translates its addresses.\n\n"
		"Options:");
	options_print(stdout, &options, 0);
	(void)puts(
		"\nEach option but config, check-config, version and help is\nalso a key of the configuration.\n\n"
		"Signals: SIGHUP reads the configuration and the topology again, SIGTERM and\n"
		"SIGINT end the service.\n\n"
		"Exit status:\n"
		"  0  ended by a signal\n"
		"  1  the service could not start\n"
		"  2  wrong usage or configuration\n"
		"  133  ended by Manager.Reset, to be started again\n\n"
		"Manual pages: cxl-redfishd(8), cxl-redfishd.conf(5)");
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

/*
 * An error about a value, which names file and line if it is from a file.
 * @i: of a list, which of its values
 */
static int refuse(const struct option_files *files, const char *key, size_t i, struct error *e)
{
	option_files_locate(files, key, i, e);
	return -EINVAL;
}

static int config_check_tls(const struct config *c, const struct option_files *files,
			    struct error *e)
{
	struct listener_spec spec;

	if (!c->tls_certificate != !c->tls_key) {
		(void)error_set(e, EINVAL,
				"--tls-certificate FILE and --tls-key FILE are given together");
		return refuse(files, c->tls_key ? "tls-key" : "tls-certificate", 0, e);
	}
	for (size_t i = 0; i < c->listen.n && c->read_only_peers.n == 0 && !c->sunfish.url; i++)
		if (listener_check(c->listen.items[i], &spec, NULL) >= 0 &&
		    listener_is_plain_network(&spec) && !has_tls_listener(c)) {
			(void)error_set(
				e, EINVAL,
				"--listen %s is refused: without encryption a password could be read on the network. Listen on https:// at this address, or name the clients that may read without login by --read-only-peer",
				c->listen.items[i]);
			return refuse(files, "listen", i, e);
		}
	return 0;
}

static int config_check_listener(const struct config *c, size_t i, bool is_unit,
				 const struct option_files *files, struct error *e)
{
	struct listener_spec spec;

	if (listener_check(c->listen.items[i], &spec, e) < 0)
		return refuse(files, "listen", i, e);
	if (spec.transport == HTTP_OVER_UNIX || c->password_file || c->state || is_unit)
		return 0;
	(void)error_set(
		e, EINVAL,
		"--listen %s is refused without a password, because every client that can reach the port could use the service: give --password-file FILE, or --state DIRECTORY with an account, or listen on unix:PATH only",
		c->listen.items[i]);
	return refuse(files, "listen", i, e);
}

/* Joins the list for cxl-redfish-push. */
static int config_join_allow(struct config *c, const struct option_files *files, struct error *e)
{
	struct push_allow allow;
	size_t n = 0;

	c->push_allow_text[0] = '\0';
	for (size_t i = 0; i < c->push_allow.n; i++) {
		n += (size_t)snprintf(c->push_allow_text + n, sizeof(c->push_allow_text) - n,
				      "%s%s", i ? " " : "", c->push_allow.items[i]);
		if (n < sizeof(c->push_allow_text) &&
		    push_allow_parse(c->push_allow_text, &allow, e) == 0)
			continue;
		(void)error_set(e, EINVAL, "push-allow: there are more than %d addresses",
				PUSH_ALLOW_MAX);
		return refuse(files, "push-allow", i, e);
	}
	return 0;
}

/* A collector that may not be reached, or whose cursor could not be stored, is a mistake. */
static int config_check_otlp(const struct config *c, bool is_unit, const struct option_files *files,
			     struct error *e)
{
	char address[PUSH_ADDRESS_MAX];
	struct push_allow allow;

	if (!c->otlp.url)
		return 0;
	if (!c->state && !is_unit)
		(void)error_set(
			e, EINVAL,
			"otlp: events are sent from the log on, which needs --state DIRECTORY");
	else if (push_allow_parse(c->push_allow_text, &allow, e) == 0 &&
		 !push_allow_admits_url(&allow, c->otlp.url, address))
		(void)error_set(
			e, EINVAL,
			"otlp: the address %s of %s is not allowed: add it to push-allow, which then names all addresses that are",
			address, c->otlp.url);
	else
		return 0;
	return refuse(files, "otlp", 0, e);
}

/* Return: whether the core can be told where this service is: by a listener of its family. */
static bool has_core_listener(const struct config *c, const struct cidr *core)
{
	struct listener_spec spec;

	for (size_t i = 0; i < c->listen.n; i++)
		if (listener_check(c->listen.items[i], &spec, NULL) >= 0 &&
		    listener_is_plain_network(&spec) && sunfish_is_own_address(spec.address, core))
			return true;
	return false;
}

static int config_check_sunfish(const struct config *c, bool is_unit,
				const struct option_files *files, struct error *e)
{
	char address[PUSH_ADDRESS_MAX];
	struct push_allow allow;
	struct cidr core;

	if (!c->sunfish.url)
		return 0;
	if (sunfish_core_address(c->sunfish.url, &core, e) < 0)
		return refuse(files, "sunfish", 0, e);
	if (!c->state && !is_unit)
		(void)error_set(
			e, EINVAL,
			"sunfish: the ids of the core are kept in the state directory, which needs --state DIRECTORY");
	else if (push_allow_parse(c->push_allow_text, &allow, e) == 0 &&
		 !push_allow_admits_url(&allow, c->sunfish.url, address))
		(void)error_set(
			e, EINVAL,
			"sunfish: the address %s of %s is not allowed: add it to push-allow, which then names all addresses that are",
			address, c->sunfish.url);
	else if (!has_core_listener(c, &core))
		(void)error_set(
			e, EINVAL,
			"sunfish: the core could not read this service: listen on http://ADDRESS:PORT, with an address of the network that the core can reach");
	else
		return 0;
	return refuse(files, "sunfish", 0, e);
}

/*
 * Checks that concern several options.
 * @is_unit: it is that of the unit, which gives a state directory, and listeners where there are
 * none
 */
static int config_check(struct config *c, bool is_unit, const struct option_files *files,
			struct error *e)
{
	if (config_check_tls(c, files, e) < 0 || config_join_allow(c, files, e) < 0 ||
	    config_check_otlp(c, is_unit, files, e) < 0 ||
	    config_check_sunfish(c, is_unit, files, e) < 0)
		return -EINVAL;
	if (c->listen.n == 0 && !is_unit)
		return error_set(
			e, EINVAL,
			"no listener is configured: give --listen, or the key listen in the configuration, at least once");
	for (size_t i = 0; i < c->listen.n; i++)
		if (config_check_listener(c, i, is_unit, files, e) < 0)
			return -EINVAL;
	return 0;
}

const char *config_listener(const struct config *c, bool unix_socket)
{
	struct listener_spec spec;

	for (size_t i = 0; i < c->listen.n; i++)
		if (listener_check(c->listen.items[i], &spec, NULL) == 0 &&
		    (spec.transport == HTTP_OVER_UNIX) == unix_socket)
			return c->listen.items[i];
	return NULL;
}

/* Takes the settings that systemd provides where nothing is configured. */
static void unit_defaults(struct config *c)
{
	if (!c->password_file)
		c->password_file = unit_password_file();
	if (c->listen.n == 0)
		unit_add_listeners(&c->listen);
}

static int config_explain(int r, struct error *e)
{
	const struct error old = *e;

	if (r != -EACCES && r != -EPERM)
		return r;
	return error_set(
		e, r,
		"%.*s; make it readable for the user of the service, or name another one by --config FILE",
		ERROR_TEXT_MAX / 2, old.text);
}

/* @ret_files: names of what was read, which live as long as the configuration */
static int config_load_files(const struct command_line *line, struct config *ret,
			     struct option_files *ret_files, struct error *e)
{
	struct command_line values = *line, overruled = *line;
	struct option_files f = {
		.table = &options,
		.arena = arena_new(),
		.values = &values,
		.overruled = &overruled,
		.given = line->given,
	};
	int r;

	if (!f.arena)
		return error_set(e, ENOMEM, "out of memory");
	r = config_explain(option_files_read_all(&f, line->file, e), e);
	if (r == 0)
		unit_defaults(&values.config);
	if (r == 0)
		r = config_check(&values.config, line->check && !line->file, &f, e);
	if (r < 0) {
		(void)arena_free(f.arena);
		return r;
	}
	*ret = values.config;
	ret->arena = f.arena;
	*ret_files = f;
	return 0;
}

void config_done(struct config *c)
{
	c->arena = arena_free(c->arena);
}

void config_log_restart(const struct config *started, const struct config *now)
{
	const struct command_line a = {.config = *started}, b = {.config = *now};

	for (size_t i = 0; i < options.n_rows; i++) {
		const struct option_row *row = &options.rows[i];

		if (row->at_start && option_differs(row, &a, &b))
			log_warning("the new value of %s is used after a restart", row->name);
	}
}

void config_warn(const struct config *c)
{
	struct listener_spec spec;
	bool used = c->read_only_peers.n == 0;

	for (size_t i = 0; i < c->listen.n && !used; i++)
		used = listener_check(c->listen.items[i], &spec, NULL) >= 0 &&
		       listener_is_plain_network(&spec);
	if (c->sunfish.writes && !c->sunfish.url)
		log_warning("sunfish-writes has no effect without sunfish");
	if (repair_policy_of(c->repair_policy) == REPAIR_POLICY_UNUSED &&
	    !(allow_bits(&c->allow) & ALLOW_REPAIR))
		log_warning("repair-policy = unused has no effect without repair in allow");
	if (!used)
		log_warning(
			"read-only-peer has no effect: there is no http:// listener at an address of a network; at all other listeners clients log in");
}

/* Certificates and keys are read, as at the start: they may not belong together. */
static int check_tls_files(const struct config *c, struct error *e)
{
	const struct tls_options o = {
		.certificate_file = c->tls_certificate,
		.key_file = c->tls_key,
		.authority_files = c->client_ca.items,
		.n_authority_files = c->client_ca.n,
		.crl_file = c->client_crl,
	};

	return tls_check(&o, e);
}

/* Files that the service will open. */
struct files_check {
	const struct config *config;
	const struct option_files *files;
	bool all; /* files of the command line, too, which may be there for one start only */
};

static bool is_checked(const struct files_check *check, const char *option, size_t i,
		       const char *path)
{
	return path && (check->all || option_files_have(check->files, option, i));
}

static int check_file(const struct files_check *check, const char *option, size_t i,
		      const char *path, struct error *e)
{
	if (!is_checked(check, option, i, path) || access(path, R_OK) == 0)
		return 0;
	(void)error_set(e, errno, "%s: cannot read %s: %s%s", option, path, strerror(errno),
			errno == EACCES ? " for the user of the service" : "");
	return refuse(check->files, option, i, e);
}

static int check_tables(const struct files_check *check, struct error *e)
{
	const struct option_list *tables = &check->config->tables;
	struct acpi_dump dump = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < tables->n; i++) {
		if (check_file(check, "tables", i, tables->items[i], e) < 0)
			r = -EINVAL;
		else if (is_checked(check, "tables", i, tables->items[i]) &&
			 acpi_dump_add_file(&dump, tables->items[i], e) < 0)
			r = refuse(check->files, "tables", i, e);
	}
	acpi_dump_done(&dump);
	return r;
}

/* Return: 0, or the error of the first that cannot be used. */
static int check_files(const struct files_check *check, struct error *e)
{
	const struct config *c = check->config;
	const struct {
		const char *option, *path;
	} single[] = {
		{"host", c->host},	   {"password-file", c->password_file},
		{"push-ca", c->push_ca},   {"tls-certificate", c->tls_certificate},
		{"tls-key", c->tls_key},   {"client-crl", c->client_crl},
		{"otlp-ca", c->otlp.ca},   {"otlp-certificate", c->otlp.certificate},
		{"otlp-key", c->otlp.key},
	};
	char id[SYSTEM_ID_MAX + 1];

	if (system_id_make(c->system_id, MACHINE_ID_FILE, id, e) < 0)
		return refuse(check->files, "system-id", 0, e);
	for (size_t i = 0; i < ARRAY_SIZE(single); i++)
		if (check_file(check, single[i].option, 0, single[i].path, e) < 0)
			return -EINVAL;
	for (size_t i = 0; i < c->client_ca.n; i++)
		if (check_file(check, "client-ca", i, c->client_ca.items[i], e) < 0)
			return -EINVAL;
	return check_tables(check, e);
}

int config_load(const struct command_line *line, struct config *ret, struct error *e)
{
	struct option_files files;
	int r = config_load_files(line, ret, &files, e);

	if (r < 0)
		return r;
	r = check_files(&(struct files_check){ret, &files, false}, e);
	if (r < 0)
		config_done(ret);
	return r;
}

static int check_otlp(const struct config *c, const struct option_files *files, struct error *e)
{
	struct otlp_settings *settings = NULL;
	const char *option;
	int r = otlp_settings_load(&c->otlp, &settings, &option, e);

	(void)otlp_settings_free(settings);
	return r < 0 ? refuse(files, option, 0, e) : 0;
}

static void print_valid(const struct option_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		(void)printf("%s is valid\n", files->names[i]);
	if (files->n == 0)
		(void)puts("there is no configuration file; the options are valid");
}

/* Return: 1, or the error of what a start would refuse. */
static int check_only(const struct command_line *line, const struct config *c,
		      const struct option_files *files, struct error *e)
{
	int r = unit_become_user(e);

	if (r == 0)
		r = check_files(&(struct files_check){c, files, true}, e);
	if (r == 0)
		r = check_otlp(c, files, e);
	if (r == 0)
		r = check_tls_files(c, e);
	if (r < 0)
		return r;
	print_valid(files);
	config_warn(c);
	if (c->host && !line->file)
		log_warning(
			"host is used outside of the unit only, which cannot open a captured host");
	return 1;
}

/* Return: 1 when the program has nothing else to do. */
static int parse_options(int argc, char **argv, struct command_line *line, struct error *e)
{
	struct option_result result = {0};
	int r = options_parse(&options, argc, argv, line, &result, e);

	if (r < 0)
		return r;
	line->given = result.given;
	if (line->help)
		print_help();
	else if (line->version)
		(void)puts("cxl-redfishd " PACKAGE_VERSION);
	else if (result.n_operands)
		return error_set(e, EINVAL, "unexpected argument '%.64s'", result.operands[0]);
	return line->help || line->version;
}

bool config_parse(int argc, char **argv, struct command_line *ret_line, struct config *ret,
		  int *ret_exit)
{
	struct command_line line = {.config = {.poll_seconds = POLL_SECONDS_DEFAULT,
					       .max_events = EVENTS_MAX_DEFAULT,
					       .history_seconds = HISTORY_INTERVAL_DEFAULT_S,
					       .history_days = HISTORY_AGE_DEFAULT_DAYS,
					       .pages = PAGE_LIMITS_DEFAULT,
					       .push_attempts = RETRY_ATTEMPTS_DEFAULT,
					       .push_seconds = RETRY_SECONDS_DEFAULT,
					       .otlp.interval = OTLP_INTERVAL_DEFAULT_S,
					       .task_seconds = TASK_AFTER_S,
					       .dc_timeout_seconds = DC_TIMEOUT_S,
					       .log_level = LOG_LEVEL_INFO}};
	struct option_files files = {0};
	struct config config = {0};
	struct error e = {0};
	int r;

	*ret_exit = 0;
	r = parse_options(argc, argv, &line, &e);
	/* Another file than the service's need not be where its user may read it. */
	if (r == 0 && line.check && !line.file)
		r = unit_become_user(&e);
	if (r == 0)
		r = config_load_files(&line, &config, &files, &e);
	if (r == 0 && line.check) {
		r = check_only(&line, &config, &files, &e);
		config_done(&config);
	}
	if (r < 0) {
		log_err("%s (see cxl-redfishd --help and cxl-redfishd.conf(5))", e.text);
		*ret_exit = CONFIG_EXIT_REFUSED;
	}
	if (r != 0)
		return false;
	*ret_line = line;
	*ret = config;
	return true;
}
