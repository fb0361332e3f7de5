// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/unit_sockets.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "http/listener.h"

enum { UNIT_SOCKETS_MAX = 8 };

struct unit_socket {
	int fd;
	sd_event_source *refusing;
};

static struct {
	bool filled;
	struct unit_socket items[UNIT_SOCKETS_MAX];
	size_t n;
} table;

static void table_fill(void)
{
	int n = sd_listen_fds(1);

	table.filled = true;
	for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + n; fd++)
		if (table.n < UNIT_SOCKETS_MAX && sd_is_socket(fd, AF_UNSPEC, SOCK_STREAM, 1) > 0 &&
		    sd_is_socket(fd, AF_UNIX, SOCK_STREAM, 1) == 0)
			table.items[table.n++].fd = fd;
		else
			(void)close(fd);
}

int unit_socket_find(const char *spec)
{
	if (!table.filled)
		table_fill();
	for (size_t i = 0; i < table.n; i++)
		if (listener_is_at(spec, table.items[i].fd, true))
			return table.items[i].fd;
	return -1;
}

bool unit_socket_has_port(const char *spec)
{
	for (size_t i = 0; i < table.n; i++)
		if (listener_is_at(spec, table.items[i].fd, false))
			return true;
	return false;
}

/* A client learns at once that nothing is served there. */
static int on_unused(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)revents;
	(void)userdata;
	if (client >= 0)
		(void)close(client);
	return 0;
}

int unit_sockets_attach(sd_event *event, struct error *e)
{
	for (size_t i = 0; i < table.n; i++) {
		struct unit_socket *one = &table.items[i];
		int r = sd_event_add_io(event, &one->refusing, one->fd, EPOLLIN, on_unused, NULL);

		if (r >= 0)
			r = sd_event_source_set_enabled(one->refusing, SD_EVENT_OFF);
		if (r < 0)
			return error_set(e, r, "cannot set up the event loop: %s", strerror(-r));
		/* The loop ends it. */
		(void)sd_event_source_set_floating(one->refusing, true);
	}
	return 0;
}

void unit_sockets_update(bool (*used)(void *userdata, int fd), void *userdata)
{
	for (size_t i = 0; i < table.n; i++)
		(void)sd_event_source_set_enabled(table.items[i].refusing,
						  used(userdata, table.items[i].fd) ? SD_EVENT_OFF
										    : SD_EVENT_ON);
}
