// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A walk over the host and the rendering of every resource, against `cxl list -vv` on the same
 * captured host.
 *
 *	bench_render DIRECTORY|ARCHIVE
 *
 * Both are started for each round, alternately, in the captured host's namespace; the fastest round
 * of each is used. Ours is timed from inside, because the daemon walks in a process that
 * runs already; `cxl list` can only be timed from outside, with its start of about a millisecond.
 * Prints "ours N ms, cxl N ms, N resources".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/captured_host.h"
#include "redfish/resources/resources.h"
#include "redfish/view/view.h"

enum { ROUNDS = 12 };

static char self[4096]; /* of the program; /proc/self/exe is another one after exec */

static int complain(const struct error *e)
{
	fprintf(stderr, "bench_render: %s\n", e->text);
	return EXIT_FAILURE;
}

static double now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* The daemon's work from its start until each resource was requested once. */
static int render_all(void)
{
	double start = now_ms();
	struct view_inputs in = {0};
	struct host_root *root;
	struct resource *r;
	struct view *view;
	struct error e;
	size_t n;

	if (host_root_open(NULL, &root, &e) < 0 || host_read(root, &in.host, &e) < 0 ||
	    translator_new(in.host, NULL, &in.translator, &e) < 0 ||
	    view_new(&redfish_resources, &in, &view, &e) < 0)
		return complain(&e);
	for (n = 0; (r = resource_at(view->index, n)); n++)
		if (!r->action && r->type->render && !view_representation(view, r))
			return EXIT_FAILURE;
	printf("%.3f %zu\n", now_ms() - start, n);
	return EXIT_SUCCESS;
}

/* Runs a program with its output into @fd. Return: milliseconds, negative on failure. */
static double run(char *const argv[], int fd)
{
	double start = now_ms();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)dup2(fd, STDOUT_FILENO);
		(void)execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
		return -1;
	return now_ms() - start;
}

int main(int argc, char **argv)
{
	char list[] = "cxl", list_list[] = "list", list_vv[] = "-vv", child[] = "--child";
	char *const theirs[] = {list, list_list, list_vv, NULL};
	char *const mine[] = {self, child, NULL};
	double ours = 1e12, cxl = 1e12;
	struct host_root *root;
	char line[64];
	size_t resources = 0;
	struct error e;
	ssize_t n;
	int pipes[2], null;

	if (argc != 2) {
		fprintf(stderr, "usage: bench_render DIRECTORY|ARCHIVE\n");
		return 2;
	}
	if (strcmp(argv[1], child) == 0)
		return render_all();
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return EXIT_FAILURE;
	self[n] = '\0';
	if (host_root_open(argv[1], &root, &e) < 0)
		return complain(&e);
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	for (int i = 0; i < ROUNDS; i++) {
		double b = run(theirs, null), o;

		if (pipe(pipes) < 0)
			return EXIT_FAILURE;
		o = run(mine, pipes[1]);
		(void)close(pipes[1]);
		n = read(pipes[0], line, sizeof(line) - 1);
		(void)close(pipes[0]);
		line[n > 0 ? n : 0] = '\0';
		if (b < 0 || o < 0 || sscanf(line, "%lf %zu", &o, &resources) != 2) {
			fprintf(stderr, "bench_render: %s failed\n", b < 0 ? "cxl list" : self);
			return EXIT_FAILURE;
		}
		cxl = b < cxl ? b : cxl;
		ours = o < ours ? o : ours;
	}
	printf("ours %.2f ms, cxl %.2f ms, %zu resources\n", ours, cxl, resources);
	return EXIT_SUCCESS;
}
