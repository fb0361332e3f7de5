// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The main() of all test programs:
 *
 *	suites_DIRECTORY		all suites, each in a process of its own
 *	suites_DIRECTORY NAME...	those with these names
 *	suites_DIRECTORY --list		the names
 *	check_NAME			a link to suites_DIRECTORY: this suite
 *
 * The exit status is automake's: 0 passed, 1 failed, 77 skipped. Variables CK_* are Check's.
 */
#include "tests/lib/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/strutil.h"

enum { PASSED = 0, FAILED = 1, SKIPPED = 77, NOT_RUN = 99 };

static struct suite *suites;
static const char *lacking;

/* In the order of their names, whatever order the linker has chosen. */
void suites_add(struct suite *s)
{
	struct suite **at = &suites;

	while (*at && strcmp((*at)->name, s->name) < 0)
		at = &(*at)->next;
	s->next = *at;
	*at = s;
}

void suite_lacks(const char *why)
{
	lacking = why;
}

static const struct suite *find(const char *name)
{
	const struct suite *s = suites;

	while (s && !str_equal(s->name, name))
		s = s->next;
	return s;
}

static int run(const struct suite *s)
{
	Suite *suite = s->make();
	SRunner *runner;
	int failed;

	if (!suite)
		return SKIPPED;
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	if (failed)
		return FAILED;
	if (!lacking)
		return PASSED;
	(void)printf("SKIP: %s\n", lacking);
	return SKIPPED;
}

/* In a process of its own, so that nothing of a suite is left for the next one. */
static int run_apart(const struct suite *s)
{
	int status;
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	if (pid == 0)
		exit(run(s));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return NOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static int worse(int a, int b)
{
	if (a == PASSED || b == PASSED)
		return a + b;
	if (a == SKIPPED || b == SKIPPED)
		return a == SKIPPED ? b : a;
	return a > b ? a : b;
}

static int run_all(void)
{
	int result = PASSED;

	for (const struct suite *s = suites; s; s = s->next)
		result = worse(result, run_apart(s));
	return result;
}

static int run_named(char **names)
{
	int result = PASSED;

	for (char **name = names; *name; name++)
		if (!find(*name)) {
			(void)fprintf(stderr,
				      "There is no suite %s here; --list lists the suites.\n",
				      *name);
			return NOT_RUN;
		}
	if (!names[1])
		return run(find(*names));
	for (; *names; names++)
		result = worse(result, run_apart(find(*names)));
	return result;
}

static int list(void)
{
	for (const struct suite *s = suites; s; s = s->next)
		(void)puts(s->name);
	return PASSED;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	char *own_name[] = {slash ? (char *)(uintptr_t)(slash + 1) : argv[0], NULL};

	(void)umask(022); /* other users read files of some tests */
	if (argc == 2 && str_equal(argv[1], "--list"))
		return list();
	if (argc > 1)
		return run_named(argv + 1);
	return str_after_prefix(own_name[0], "check_") ? run_named(own_name) : run_all();
}
