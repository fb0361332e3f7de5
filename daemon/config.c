// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/config.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/error.h"
#include "common/strutil.h"
#include "daemon/events.h"
#include "daemon/device_poller.h"
#include "http/listener.h"
#include "redfish/eventing/event_service.h"

enum { EXIT_USAGE = 2 };

static const char help_text[] =
	"Usage: cxl-redfishd [--host PATH] --listen URL... [--state DIR] [--password-file FILE]\n"
	"                    [--poll SECONDS] [--max-events N] [--max-event-age DAYS]\n"
	"                    [--never-overwrite] [--metrics URL] [--push-attempts N]\n"
	"                    [--push-interval SECONDS] [--push-ca FILE]\n"
	"\n"
	"Shows the CXL memory of this host as Redfish, and translates its addresses.\n"
	"\n"
	"  --host PATH           show a captured host (a directory or .tar.zst made by\n"
	"                        'cxl-spa capture') instead of this machine\n"
	"  --listen URL          http://ADDRESS:PORT with an IPv4 address or an IPv6 address\n"
	"                        in brackets (port 0: any free one), or unix:PATH; may be\n"
	"                        given several times\n"
	"  --password-file FILE  the first line is the password of the account 'admin'.\n"
	"                        http:// is not served without one. With unix: listeners\n"
	"                        alone it may be left out: then whoever may open the socket\n"
	"                        (mode 0660) needs no login\n"
	"  --poll SECONDS        how often devices are asked how they are; 30 if not given\n"
	"  --state DIR           directory for what must outlive the service, which is the log\n"
	"                        of events; made with mode 0700 if missing. Without it no\n"
	"                        events are read\n"
	"  --max-events N        entries of the log, 1 to 10000000; 100000 if not given\n"
	"  --max-event-age DAYS  older entries are removed; without it none are for their age\n"
	"  --never-overwrite     a full log takes no more events; otherwise the oldest make\n"
	"                        room\n"
	"  --metrics URL         serve counts of events at /metrics, for monitoring, without\n"
	"                        login: http://127.0.0.1:PORT is for this machine alone\n"
	"  --push-attempts N     how often an event is sent again to a subscriber that is not\n"
	"                        reached, 1 to 1000; 3 if not given\n"
	"  --push-interval SECONDS\n"
	"                        how long to wait before, 1 to 86400; 60 if not given\n"
	"  --push-ca FILE        certificates by which those of subscribers are verified,\n"
	"                        instead of the system's\n"
	"  --version             print the version\n"
	"  --help                print this\n"
	"\n"
	"SIGHUP looks at the topology again, SIGTERM and SIGINT end the service.\n"
	"Exit status: 0 ended by a signal, 1 could not start, 2 wrong usage.\n";

static const struct option options[] = {
	{"host", required_argument, NULL, 'H'},
	{"listen", required_argument, NULL, 'l'},
	{"state", required_argument, NULL, 's'},
	{"password-file", required_argument, NULL, 'p'},
	{"poll", required_argument, NULL, 'P'},
	{"max-events", required_argument, NULL, 'n'},
	{"max-event-age", required_argument, NULL, 'a'},
	{"never-overwrite", no_argument, NULL, 'N'},
	{"metrics", required_argument, NULL, 'm'},
	{"push-attempts", required_argument, NULL, 'r'},
	{"push-interval", required_argument, NULL, 'i'},
	{"push-ca", required_argument, NULL, 'c'},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static bool stop(int *ret_exit, int status)
{
	*ret_exit = status;
	return false;
}

static bool usage_error(int *ret_exit, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool usage_error(int *ret_exit, const char *fmt, ...)
{
	va_list ap;

	(void)fputs("cxl-redfishd: ", stderr);
	va_start(ap, fmt);
	(void)vfprintf(stderr, fmt, ap);
	va_end(ap);
	(void)fputs("\nTry 'cxl-redfishd --help'.\n", stderr);
	return stop(ret_exit, EXIT_USAGE);
}

static bool check(const struct config *c, int *ret_exit)
{
	struct error e = {0};
	bool is_unix = false;

	if (c->metrics && listener_check(c->metrics, &is_unix, &e) < 0)
		return usage_error(ret_exit, "%s", e.text);
	if (c->n_listen == 0)
		return usage_error(ret_exit, "nothing to listen on: give --listen at least once");
	for (size_t i = 0; i < c->n_listen; i++) {
		is_unix = false;
		if (listener_check(c->listen[i], &is_unix, &e) < 0)
			return usage_error(ret_exit, "%s", e.text);
		if (!is_unix && !c->password_file)
			return usage_error(ret_exit,
					   "--listen %s is refused without a password: anybody "
					   "who reaches the port could log in; give "
					   "--password-file FILE, or listen on unix:PATH only",
					   c->listen[i]);
	}
	return true;
}

/* An option whose value is a number from 1 to @max. */
static bool take_number(const char *option, const char *what, uint64_t max, uint64_t *ret,
			int *ret_exit)
{
	if (parse_u64(optarg, ret) < 0 || *ret < 1 || *ret > max)
		return usage_error(ret_exit, "%s %s is not a number of %s from 1 to %llu", option,
				   optarg, what, (unsigned long long)max);
	return true;
}

static bool take_poll(struct config *c, int *ret_exit)
{
	uint64_t seconds;

	if (!take_number("--poll", "seconds", POLL_SECONDS_MAX, &seconds, ret_exit))
		return false;
	c->poll_seconds = (unsigned int)seconds;
	return true;
}

static bool take_push_number(const char *option, const char *what, uint64_t max, unsigned int *ret,
			     int *ret_exit)
{
	uint64_t n;

	if (!take_number(option, what, max, &n, ret_exit))
		return false;
	*ret = (unsigned int)n;
	return true;
}

/* Return: whether the option was taken. */
static bool take(struct config *c, int option, int *ret_exit)
{
	switch (option) {
	case 'H':
		c->host = optarg;
		return true;
	case 'l':
		if (c->n_listen == CONFIG_LISTENERS_MAX)
			return usage_error(ret_exit, "more than %d --listen", CONFIG_LISTENERS_MAX);
		c->listen[c->n_listen++] = optarg;
		return true;
	case 's':
		c->state = optarg;
		return true;
	case 'p':
		c->password_file = optarg;
		return true;
	case 'P':
		return take_poll(c, ret_exit);
	case 'n':
		return take_number("--max-events", "entries", CONFIG_EVENTS_MAX, &c->max_events,
				   ret_exit);
	case 'a':
		return take_number("--max-event-age", "days", CONFIG_DAYS_MAX, &c->max_event_days,
				   ret_exit);
	case 'N':
		c->never_overwrite = true;
		return true;
	case 'm':
		c->metrics = optarg;
		return true;
	case 'r':
		return take_push_number("--push-attempts", "attempts", RETRY_ATTEMPTS_MAX,
					&c->push_attempts, ret_exit);
	case 'i':
		return take_push_number("--push-interval", "seconds", RETRY_SECONDS_MAX,
					&c->push_seconds, ret_exit);
	case 'c':
		c->push_ca = optarg;
		return true;
	case 'V':
		(void)puts("cxl-redfishd " PACKAGE_VERSION);
		return stop(ret_exit, 0);
	case 'h':
		(void)fputs(help_text, stdout);
		return stop(ret_exit, 0);
	default: /* getopt_long() has said what is wrong */
		(void)fputs("Try 'cxl-redfishd --help'.\n", stderr);
		return stop(ret_exit, EXIT_USAGE);
	}
}

bool config_parse(int argc, char **argv, struct config *ret, int *ret_exit)
{
	struct config c = {.poll_seconds = POLL_SECONDS_DEFAULT,
			   .max_events = EVENTS_MAX_DEFAULT,
			   .push_attempts = RETRY_ATTEMPTS_DEFAULT,
			   .push_seconds = RETRY_SECONDS_DEFAULT};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (!take(&c, option, ret_exit))
			return false;
	if (optind < argc)
		return usage_error(ret_exit, "unexpected argument '%s'", argv[optind]);
	if (!check(&c, ret_exit))
		return false;
	*ret = c;
	return true;
}
