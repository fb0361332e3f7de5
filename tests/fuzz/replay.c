// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The main() of a fuzz target without libFuzzer: each file of the directories in the arguments is
 * one input. A fault that the target or the sanitizers find ends the process; the input is
 * named before.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Few targets have it. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Return: 0; -1 when the file cannot be read. */
static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rbe");
	struct stat st;
	uint8_t *data;
	size_t n;

	if (!f || fstat(fileno(f), &st) < 0) {
		perror(path);
		return -1;
	}
	/* As large as the input, so that a read behind it is noticed. */
	data = malloc((size_t)st.st_size ? (size_t)st.st_size : 1);
	n = data ? fread(data, 1, (size_t)st.st_size, f) : 0;
	(void)fclose(f);
	if (n != (size_t)st.st_size) {
		(void)fprintf(stderr, "%s: it cannot be read\n", path);
		free(data);
		return -1;
	}
	(void)fprintf(stderr, "%s: %zu bytes\n", path, n);
	(void)LLVMFuzzerTestOneInput(data, n);
	free(data);
	return 0;
}

/* Return: the number of inputs, or -1. */
static int replay_directory(const char *directory)
{
	DIR *d = opendir(directory);
	const struct dirent *entry;
	char path[4096];
	int count = 0;

	if (!d) {
		perror(directory);
		return -1;
	}
	while (count >= 0 && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		count = replay_file(path) < 0 ? -1 : count + 1;
	}
	(void)closedir(d);
	return count;
}

int main(int argc, char **argv)
{
	int count = 0;

	if (LLVMFuzzerInitialize)
		(void)LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		const int n = replay_directory(argv[i]);

		if (n < 0)
			return EXIT_FAILURE;
		count += n;
	}
	(void)printf("%d inputs\n", count);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
