// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"

enum { WORDS_MAX = 16, PAGER_TEXT_MAX = 256 };

extern char **environ;

static pid_t pager; /* 0: none */

/* The variables of programs that give another user's privileges. */
static bool has_more_privileges(void)
{
	static const char *const variables[] = {"SUDO_UID", "PKEXEC_UID", "DOAS_USER"};

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		if (getenv(variables[i]))
			return true;
	return false;
}

/* Return: the words of the command in @text; none: it is not wanted. */
static size_t pager_words(char text[static PAGER_TEXT_MAX], char *words[static WORDS_MAX + 1])
{
	const char *wanted = has_more_privileges() ? NULL : getenv("PAGER");
	char *rest = NULL;
	size_t n = 0;

	if (snprintf(text, PAGER_TEXT_MAX, "%s", wanted ? wanted : "less") >= PAGER_TEXT_MAX)
		return 0;
	for (char *word = strtok_r(text, " \t", &rest); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	words[n] = NULL;
	return n == 1 && str_equal(words[0], "cat") ? 0 : n;
}

/* The keyboard is the terminal, which a captured host may hide, or standard error. */
static bool has_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && !str_equal(term, "dumb") &&
	       (isatty(STDERR_FILENO) || access("/dev/tty", R_OK) == 0);
}

/* Return: 0, or the error number of posix_spawn(). @in: of the pipe that is its input */
static int spawn_pager(char **words, int in)
{
	posix_spawn_file_actions_t actions;
	int r = posix_spawn_file_actions_init(&actions);

	if (r != 0)
		return r;
	r = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (r == 0)
		r = posix_spawnp(&pager, words[0], &actions, NULL, words, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return r;
}

void pager_start(void)
{
	char text[PAGER_TEXT_MAX], *words[WORDS_MAX + 1];
	_cleanup_close_ int in = -1, out = -1;
	int fds[2], r;

	/* The privileges of the file of this program are for no other one. */
	if (pager || !has_terminal() || getauxval(AT_SECURE) || pager_words(text, words) == 0 ||
	    pipe2(fds, O_CLOEXEC) < 0)
		return;
	in = fds[0];
	out = fds[1];
	(void)setenv("LESS", "FRX", false);
	(void)setenv("LESSSECURE", "1", true);
	(void)fflush(stdout);
	r = spawn_pager(words, in);
	if (r != 0) {
		pager = 0;
		if (r != ENOENT || !str_equal(words[0], "less"))
			log_warning("%s cannot be started: %s; set PAGER, or use --no-pager",
				    words[0], strerror(r));
		return;
	}
	/* The pager itself decides what an interrupt means, and when its input ends. */
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)dup2(out, STDOUT_FILENO);
}

bool pager_end(void)
{
	if (!pager)
		return false;
	(void)fclose(stdout);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
	return true;
}
