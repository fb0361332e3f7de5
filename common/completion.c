// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/completion.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

/* What a name in a usage line stands for: for bash, arguments of compgen; for zsh, an action. */
static const struct value {
	const char *name;
	const char *bash, *zsh;
} values[] = {
	{"FILE", "-f", "_files"},
	{"PATH", "-f", "_files"},
	{"OUT.tar.zst", "-f", "_files"},
	{"DIRECTORY", "-d", "_files -/"},
	{"MEMDEV", "-W \"$(_cxl_objects mem)\"", "compadd -- $(_cxl_objects mem)"},
	{"REGION", "-W \"$(_cxl_objects region)\"", "compadd -- $(_cxl_objects region)"},
	{"WINDOW", "-W \"$(_cxl_objects decoder0.)\"", "compadd -- $(_cxl_objects decoder0.)"},
	{"DAX", "-W \"$(cd /sys/bus/dax/devices 2>/dev/null && ls)\"",
	 "compadd -- /sys/bus/dax/devices/*(N:t)"},
	{"OBJECT", "-W \"$(_cxl_objects)\"", "compadd -- $(_cxl_objects)"},
};

static const struct value *find_value(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (strlen(values[i].name) == len && strncmp(values[i].name, name, len) == 0)
			return &values[i];
	return NULL;
}

static bool is_word(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]))
			return false;
	return len > 0;
}

/*
 * Calls @print for each name of a usage line, "create|plan WINDOW [MEMDEV...]": with its value, or
 * as a word that stands for itself.
 */
static void each_operand(FILE *f, const char *operands,
			 void (*print)(FILE *f, const char *word, size_t len,
				       const struct value *value))
{
	static const char between[] = "[]| ";

	for (operands += strspn(operands, between); *operands;
	     operands += strspn(operands, between)) {
		const size_t all = strcspn(operands, between);
		const size_t len =
			all > 3 && strncmp(operands + all - 3, "...", 3) == 0 ? all - 3 : all;
		const struct value *value = find_value(operands, len);

		if (value || is_word(operands, len))
			print(f, operands, len, value);
		operands += all;
	}
}

static void print_objects_function(FILE *f)
{
	fputs("# _cxl_objects [PREFIX]: names of CXL objects of this machine\n"
	      "_cxl_objects() {\n"
	      "\tls /sys/bus/cxl/devices 2>/dev/null | grep \"^${1-}[0-9a-z]\"\n"
	      "}\n\n",
	      f);
}

static bool takes(const struct option_row *row, const struct completion_command *command)
{
	return !row->commands || !command || row->commands & command->bit;
}

/* The words of a row, with blanks between. */
static void print_words(FILE *f, const char *before, const char *words, const char *behind)
{
	fputs(before, f);
	for (; *words; words++)
		if (*words != ',')
			fputc(*words, f);
	fputs(behind, f);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_argument(FILE *f, const struct option_row *row)
{
	const struct value *value = find_value(row->argument, strlen(row->argument));

	fprintf(f, "\t--%s)\n", row->name);
	if (row->words)
		print_words(f, "\t\t_cxl_candidates -W '", row->words, "'\n");
	else if (value)
		fprintf(f, "\t\t_cxl_candidates %s\n", value->bash);
	fputs("\t\treturn\n\t\t;;\n", f);
}

static void bash_operand(FILE *f, const char *word, size_t len, const struct value *value)
{
	if (value)
		fprintf(f, "\t\t_cxl_candidates %s\n", value->bash);
	else
		fprintf(f, "\t\t_cxl_candidates -W '%.*s'\n", (int)len, word);
}

static void bash_options(FILE *f, const struct completion_program *program,
			 const struct completion_command *command)
{
	fputs("\t\toptions='", f);
	for (size_t i = 0; i < program->options->n_rows; i++)
		if (takes(&program->options->rows[i], command))
			fprintf(f, " --%s", program->options->rows[i].name);
	fputs("'\n", f);
}

static void print_bash(FILE *f, const struct completion_program *program)
{
	fprintf(f,
		"# Completion of %s for bash, made from its tables of options: source it, or "
		"install it\n"
		"# as /usr/share/bash-completion/completions/%s\n\n",
		program->name, program->name);
	print_objects_function(f);
	fputs("# _cxl_candidates ARGUMENT...: adds what compgen finds; a name may have blanks\n"
	      "_cxl_candidates() {\n"
	      "\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$@\" -- \"$current\")\n"
	      "}\n\n",
	      f);
	fprintf(f, "_%s_complete() {\n", program->name);
	fputs("\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal command='' options='' i\n"
	      "\tCOMPREPLY=()\n"
	      "\tcase $previous in\n",
	      f);
	for (size_t i = 0; i < program->options->n_rows; i++)
		if (program->options->rows[i].argument)
			bash_argument(f, &program->options->rows[i]);
	fputs("\tesac\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase ${COMP_WORDS[i]} in\n",
	      f);
	for (size_t i = 0; i < program->n_commands; i++)
		fprintf(f, "%s%s", i ? " | " : "\t\t", program->commands[i].name);
	if (program->n_commands)
		fputs(") command=${COMP_WORDS[i]} && break ;;\n", f);
	fputs("\t\t--) return ;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
	      "\tcase $command in\n",
	      f);
	for (size_t i = 0; i < program->n_commands; i++) {
		fprintf(f, "\t%s)\n", program->commands[i].name);
		bash_options(f, program, &program->commands[i]);
		each_operand(f, program->commands[i].operands, bash_operand);
		fputs("\t\t;;\n", f);
	}
	fputs("\t*)\n", f);
	bash_options(f, program, NULL);
	for (size_t i = 0; i < program->n_commands; i++)
		bash_operand(f, program->commands[i].name, strlen(program->commands[i].name), NULL);
	fputs("\t\t;;\n"
	      "\tesac\n"
	      "\t[[ $current != -* ]] || _cxl_candidates -W \"$options\"\n"
	      "}\n",
	      f);
	fprintf(f, "complete -o filenames -F _%s_complete %s\n", program->name, program->name);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Inside single quotes and the brackets of a specification. */
static void zsh_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			fputc('\\', f);
		fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, f);
	}
}

static void zsh_option(FILE *f, const struct option_row *row)
{
	fprintf(f, " \\\n\t\t\t'%s--%s%s[", row->once || row->stop ? "" : "*", row->name,
		row->argument ? "=" : "");
	zsh_text(f, row->help);
	fputc(']', f);
	if (row->argument) {
		const struct value *value = find_value(row->argument, strlen(row->argument));

		fprintf(f, ":%s:", row->argument);
		if (row->words)
			print_words(f, "(", row->words, ")");
		else
			fprintf(f, " %s", value ? value->zsh : ""); /* the blank: as it is */
	}
	fputc('\'', f);
}

static void zsh_operand(FILE *f, const char *word, size_t len, const struct value *value)
{
	if (value)
		fprintf(f, "\t\t%s\n", value->zsh);
	else
		fprintf(f, "\t\tcompadd -- %.*s\n", (int)len, word);
}

static void zsh_options(FILE *f, const struct completion_program *program,
			const struct completion_command *command)
{
	for (size_t i = 0; i < program->options->n_rows; i++)
		if (takes(&program->options->rows[i], command))
			zsh_option(f, &program->options->rows[i]);
}

static void zsh_operands(FILE *f, const struct completion_program *program)
{
	fprintf(f, "# _%s_operands SUBCOMMAND\n_%s_operands() {\n\tcase $1 in\n", program->name,
		program->name);
	for (size_t i = 0; i < program->n_commands; i++) {
		fprintf(f, "\t%s)\n", program->commands[i].name);
		each_operand(f, program->commands[i].operands, zsh_operand);
		fputs("\t\t;;\n", f);
	}
	fputs("\tesac\n}\n\n", f);
}

static void print_zsh(FILE *f, const struct completion_program *program)
{
	fprintf(f,
		"#compdef %s\n"
		"# Completion of %s for zsh, made from its tables of options\n\n",
		program->name, program->name);
	print_objects_function(f);
	if (program->n_commands)
		zsh_operands(f, program);
	fprintf(f, "_%s_complete() {\n", program->name);
	fputs("\tlocal context state state_descr line\n"
	      "\ttypeset -A opt_args\n"
	      "\t_arguments -C",
	      f);
	zsh_options(f, program, NULL);
	if (!program->n_commands) {
		fprintf(f, "\n}\n\n_%s_complete \"$@\"\n", program->name);
		return;
	}
	fputs(" \\\n\t\t'1:subcommand:((", f);
	for (size_t i = 0; i < program->n_commands; i++) {
		fprintf(f, "%s%s\\:\"", i ? " " : "", program->commands[i].name);
		zsh_text(f, program->commands[i].summary);
		fputc('"', f);
	}
	fputs("))' \\\n\t\t'*::operand:->operands'\n"
	      "\t[[ $state = operands ]] || return\n"
	      "\tcase $words[1] in\n",
	      f);
	for (size_t i = 0; i < program->n_commands; i++) {
		fprintf(f, "\t%s)\n\t\t_arguments", program->commands[i].name);
		zsh_options(f, program, &program->commands[i]);
		fprintf(f, " \\\n\t\t'*:operand: _%s_operands %s'\n\t\t;;\n", program->name,
			program->commands[i].name);
	}
	fprintf(f, "\tesac\n}\n\n_%s_complete \"$@\"\n", program->name);
}

void completion_print(FILE *f, const struct completion_program *program, const char *shell)
{
	if (str_equal(shell, "zsh"))
		print_zsh(f, program);
	else
		print_bash(f, program);
}
