// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

enum { FIRST_MS = 1000, INTERVAL_MS = 500, LINE_MAX_BYTES = 128 };

/* For the signal handlers. */
static const char *command;
static volatile sig_atomic_t ticks, percent, is_paused, is_shown, interrupted;
static const char *volatile file_to_remove;

/* Signals by which a user, a service manager or a terminal that goes away ends a command. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_ENDS = sizeof(ends) / sizeof(ends[0]) };

/* ---- the line ---- */

static size_t add_text(char *line, size_t n, const char *text)
{
	while (*text && n < LINE_MAX_BYTES)
		line[n++] = *text++;
	return n;
}

/* Decimal, of a number that is not negative; snprintf() is not for signal handlers. */
static size_t add_number(char *line, size_t n, int number)
{
	char digits[12];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number && at);
	return add_text(line, n, digits + at);
}

static void draw(int number)
{
	const int saved = errno;
	char line[LINE_MAX_BYTES];
	size_t n;

	(void)number;
	ticks++;
	if (is_paused)
		return;
	n = add_text(line, 0, CLEAR_LINE);
	n = add_text(line, n, command);
	n = add_text(line, n, ": ");
	n = add_number(line, n, (FIRST_MS + (ticks - 1) * INTERVAL_MS) / 1000);
	n = add_text(line, n, " s");
	if (percent >= 0) {
		n = add_text(line, n, ", ");
		n = add_number(line, n, percent);
		n = add_text(line, n, " %");
	}
	is_shown = write(STDERR_FILENO, line, n) > 0;
	errno = saved;
}

static void clear(void)
{
	if (is_shown)
		is_shown = write(STDERR_FILENO, CLEAR_LINE, strlen(CLEAR_LINE)) < 0;
}

/* A command that does nothing else about signals leaves no line behind. */
static void clear_and_end(int number)
{
	const int saved = errno;

	clear();
	errno = saved;
	(void)raise(number); /* blocked until the return; then it has its usual effect */
}

static void clear_on_signal(int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) < 0 || action.sa_handler != SIG_DFL)
		return;
	action = (struct sigaction){.sa_handler = clear_and_end, .sa_flags = (int)SA_RESETHAND};
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
}

static void set_timer(int first_ms, int interval_ms)
{
	const struct itimerval timer = {
		.it_value = {first_ms / 1000, first_ms % 1000 * 1000},
		.it_interval = {interval_ms / 1000, interval_ms % 1000 * 1000},
	};

	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_progress_begin(const char *what)
{
	struct sigaction action = {.sa_handler = draw, .sa_flags = SA_RESTART};

	if (!isatty(STDERR_FILENO))
		return;
	command = what;
	percent = -1;
	(void)sigemptyset(&action.sa_mask);
	/* Not between the line and the note that it is there. */
	for (unsigned int i = 0; i < N_ENDS; i++)
		(void)sigaddset(&action.sa_mask, ends[i]);
	(void)sigaction(SIGALRM, &action, NULL);
	for (unsigned int i = 0; i < N_ENDS; i++)
		clear_on_signal(ends[i]);
	set_timer(FIRST_MS, INTERVAL_MS);
}

void cli_progress_step(uint64_t done, uint64_t total)
{
	if (total && done <= total && done <= UINT64_MAX / 100)
		percent = (int)(done * 100 / total);
}

void cli_progress_pause(bool paused)
{
	is_paused = paused;
	if (paused)
		clear();
}

void cli_progress_end(void)
{
	if (!command)
		return;
	set_timer(0, 0);
	command = NULL;
	clear();
}

/* ---- signals that end a command ---- */

/* Under nohup, SIGHUP is ignored, and stays so. */
static bool stays_ignored(int number)
{
	struct sigaction action;

	return number == SIGHUP && sigaction(number, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

static void catch_signals(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	(void)sigemptyset(&action.sa_mask);
	for (unsigned int i = 0; i < N_ENDS; i++)
		if (!stays_ignored(ends[i]))
			(void)sigaction(ends[i], &action, NULL);
}

static void remember(int number)
{
	(void)number;
	interrupted = 1;
}

void cli_catch_interrupt(void)
{
	catch_signals(remember, (int)SA_RESETHAND);
}

bool cli_interrupted(void)
{
	return interrupted;
}

static void remove_file(int number)
{
	if (file_to_remove)
		(void)unlink(file_to_remove);
	clear();
	(void)raise(number); /* blocked until the return; then it has its usual effect */
}

void cli_remove_on_interrupt(const char *path)
{
	file_to_remove = path;
	catch_signals(path ? remove_file : SIG_DFL, (int)SA_RESETHAND);
}
