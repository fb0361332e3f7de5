/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_CONFIG_H
#define CXLR_DAEMON_CONFIG_H

/*
 * The daemon's configuration: files, under the command line, which overrules them.
 *
 * A configuration is loaded as a whole, at the start and on SIGHUP, and never changed; its strings
 * live as long as it does. Main thread only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"
#include "common/log.h"
#include "common/options.h"
#include "push/destinations.h"
#include "redfish/sunfish/sunfish_settings.h"
#include "redfish/otlp/otlp_settings.h"
#include "redfish/pages/remembered_page.h"

enum {
	CONFIG_EVENTS_MAX = 10 * 1000 * 1000,
	CONFIG_DAYS_MAX = 36500,

	CONFIG_EXIT_REFUSED = 2, /* exit status of the program */
};

struct config {
	struct arena *arena; /* has the strings that are not argv's */
	const char *host;    /* NULL: this machine */
	struct option_list tables, listen;
	struct option_list allow_origins;      /* origins of web pages */
	struct option_list host_names;	       /* further names of this host */
	const char *system_id;		       /* see redfish/core/system_id.h; NULL: not given */
	const char *metrics;		       /* NULL: not given */
	const char *state;		       /* NULL: not given */
	const char *password_file;	       /* NULL: not given */
	const char *tls_certificate, *tls_key; /* both or none */
	struct option_list client_ca, read_only_peers;
	const char *client_crl;	    /* NULL: no client certificate is revoked */
	const char *switch_mailbox; /* PCI address, "auto", or NULL: no switch's mailbox is used */
	struct option_list allow;   /* see common/allow.h */
	bool offline_huge_pages;    /* see pages/page_options.h */
	const char *page_on_online; /* likewise; NULL: not given */
	bool show_page_users;	    /* names of cgroups in DescribePage */
	unsigned int poll_seconds;  /* interval of device readings */
	uint64_t max_events, max_event_days;	    /* of the log; 0 days: no limit */
	unsigned int history_seconds, history_days; /* of the devices' readings */
	unsigned int task_seconds;		    /* until a request becomes a task */
	unsigned int dc_timeout_seconds;	  /* for a host to answer about dynamic capacity */
	struct page_limits pages;		  /* out of use */
	const char *page_policy, *page_corrected; /* see daemon/page_rule.h; NULL: not given */
	const char *repair_policy;		  /* see daemon/boot_repairs.h; NULL: not given */
	bool never_overwrite;
	bool expect_cxl;
	const char *push_ca;			   /* NULL: the system's */
	struct option_list push_allow;		   /* see push/destinations.h */
	char push_allow_text[PUSH_ALLOW_TEXT_MAX]; /* all of them */
	unsigned int push_attempts, push_seconds;
	struct otlp_options otlp; /* the collector */
	struct sunfish_options sunfish;
	enum log_level log_level;
};

/* Its options; all strings are argv's. */
struct command_line {
	struct config config;
	const char *file; /* of --config; NULL: the one of the service, which may be absent */
	bool check, help, version;
	uint64_t given; /* as in struct option_result */
};

/*
 * config_parse() - read the command line, and then the configuration
 * @ret_line: for config_load(); set on success
 * @ret: for config_done(); set on success
 * @ret_exit: set on failure to the exit status of the program: 0 after --help, --version and a
 *            --check-config that found no error; 2 after an error, which was reported on standard
 *            error
 *
 * A TCP listener without a password file and without a state directory, which may have accounts,
 * is an error.
 *
 * Return: true on success; false when the program is to exit.
 */
bool config_parse(int argc, char **argv, struct command_line *ret_line, struct config *ret,
		  int *ret_exit);

/*
 * config_load() - read the files again, and check what results, so that a restart succeeds, too:
 * files that the configuration names can be read, and its tables are valid
 *
 * The files are small ones of the system, and are read by the caller's thread as at the start.
 *
 * Return: 0; or the error of the first thing that is wrong. A TCP listener without a password file
 * is an error.
 */
int config_load(const struct command_line *line, struct config *ret, struct error *e);

/* Reports options whose values differ and that are used after a restart only. */
void config_log_restart(const struct config *started, const struct config *now);

/* Logs what is configured and has no effect. */
void config_warn(const struct config *c);

/* Frees the strings. */
void config_done(struct config *c);

/* Return: the first listener that is a Unix socket, or that is none; NULL when there is none. */
const char *config_listener(const struct config *c, bool unix_socket);

#endif
