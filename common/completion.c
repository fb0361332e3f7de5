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
	{"DAX", "-W \"$(_cxl_objects dax)\"", "compadd -- $(_cxl_objects dax)"},
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
 * The operands of a usage line, "create|plan WINDOW [MEMDEV...] | destroy REGION": alternatives
 * with " | " between, of places with blanks between, at each of which names are possible. The last
 * place of an alternative may have any number of operands.
 */
struct place {
	const char *names; /* "create|plan" */
	size_t len;
	unsigned int number; /* in its alternative, from 0 on */
	const char *first;   /* the first place of its alternative */
	size_t first_len;
	bool repeated;
};

/* Return: whether there is a place at @at, which is moved behind it. */
static bool next_place(const char **at, struct place *p)
{
	static const char around[] = "[] ";
	const char *s = *at;

	if (s[strspn(s, around)] == '|') {
		s += strspn(s, around) + 1;
		*p = (struct place){0};
	}
	s += strspn(s, around);
	if (!*s)
		return false;
	p->number = p->first ? p->number + 1 : 0;
	p->names = s;
	p->len = strcspn(s, around);
	*at = s + p->len;
	p->repeated = p->len > 3 && strncmp(s + p->len - 3, "...", 3) == 0;
	if (p->repeated)
		p->len -= 3;
	if (!p->first) {
		p->first = p->names;
		p->first_len = p->len;
	}
	return true;
}

/* Of names with '|' between. Return: the length of the one at @s; 0 behind the last. */
static size_t name_length(const struct place *p, const char *s)
{
	size_t n = 0;

	while (s + n < p->names + p->len && s[n] != '|')
		n++;
	return n;
}

typedef void print_operand(FILE *f, const char *word, size_t len, const struct value *value);

/* "1:create | 1:plan", the number of operands before the place and the first of them; or "1:*". */
static void print_pattern(FILE *f, const struct place *p)
{
	const struct place first = {.names = p->first, .len = p->first_len};
	const char *s = first.names;
	size_t n = name_length(&first, s);
	char number[12] = "*";

	if (!p->repeated)
		(void)snprintf(number, sizeof(number), "%u", p->number);
	if (p->number == 0 || !is_word(s, n)) {
		fprintf(f, "\t\t%s:*)\n", number);
		return;
	}
	for (; n; s += n + (s[n] == '|'), n = name_length(&first, s))
		fprintf(f, "%s%s:%.*s", s == first.names ? "\t\t" : " | ", number, (int)n, s);
	fputs(")\n", f);
}

/*
 * Prints what completes the next operand, as a case for each alternative.
 * @subject: "NUMBER:FIRST", how many operands there are already, and the first of them
 */
static void print_places(FILE *f, const char *subject, const char *operands, print_operand *print)
{
	struct place p = {0};
	bool open = false;
	size_t n;

	while (next_place(&operands, &p)) {
		if (p.number == 0)
			fprintf(f, "%s\t\tcase %s in\n", open ? "\t\tesac\n" : "", subject);
		open = true;
		print_pattern(f, &p);
		for (const char *s = p.names; (n = name_length(&p, s)); s += n + (s[n] == '|')) {
			const struct value *value = find_value(s, n);

			if (value || is_word(s, n))
				print(f, s, n, value);
		}
		fputs("\t\t\t;;\n", f);
	}
	if (open)
		fputs("\t\tesac\n", f);
}

/*
 * The names of the archive are found in what list prints of it: reading it takes a tenth of a
 * second. The paths are not expanded, but for '~'.
 */
static void print_objects_function(FILE *f, const char *program)
{
	fprintf(f,
		"# _cxl_objects [PREFIX]: names of objects of this machine, or of the captured host in $host\n"
		"_cxl_objects() {\n"
		"\tif [[ -n $host ]]; then\n"
		"\t\tcommand %s --host \"${host/#\\~/$HOME}\" list 2>/dev/null |\n"
		"\t\t\tgrep -oE '\\<(root|port|endpoint|decoder|region|mem|dax)[0-9]+(\\.[0-9]+)?\\>' | sort -u\n"
		"\telse\n"
		"\t\tls /sys/bus/cxl/devices /sys/bus/dax/devices 2>/dev/null\n"
		"\tfi | grep \"^${1-[a-z_-]*}[0-9]\"\n"
		"}\n\n",
		program);
}

static bool takes(const struct option_row *row, const struct completion_command *command)
{
	return !row->commands || !command || row->commands & command->bit;
}

static const char *words_of(const struct option_row *row)
{
	return row->words ? row->words : row->examples;
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
	if (words_of(row))
		print_words(f, "\t\t_cxl_candidates -W '", words_of(row), "'\n");
	else if (value)
		fprintf(f, "\t\t_cxl_candidates %s\n", value->bash);
	fputs("\t\treturn\n\t\t;;\n", f);
}

static void bash_operand(FILE *f, const char *word, size_t len, const struct value *value)
{
	if (value)
		fprintf(f, "\t\t\t_cxl_candidates %s\n", value->bash);
	else
		fprintf(f, "\t\t\t_cxl_candidates -W '%.*s'\n", (int)len, word);
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

/* Before the function: what an argument behind "=" is, and where the subcommand and operands are.
 */
static void bash_words(FILE *f, const struct completion_program *program)
{
	fputs("\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal command='' options='' operands=() host='' prefix='' option i\n"
	      "\tCOMPREPLY=()\n"
	      "\t# --host=PATH is three words where = divides words, as by default, or one\n"
	      "\tif [[ $current == = ]]; then\n"
	      "\t\tcurrent=''\n"
	      "\telif [[ $previous == = ]]; then\n"
	      "\t\tprevious=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\telif [[ $current == --*=* ]]; then\n"
	      "\t\tprevious=${current%%=*} prefix=${current%%=*}= current=${current#*=}\n"
	      "\tfi\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase ${COMP_WORDS[i]} in\n",
	      f);
	for (size_t i = 0, n = 0; i < program->options->n_rows; i++) {
		const struct option_row *row = &program->options->rows[i];

		if (row->argument)
			fprintf(f, "%s--%s", n++ ? " | " : "\t\t", row->name);
		if (row->argument && row->letter)
			fprintf(f, " | -%c", row->letter);
	}
	fputs(")\n"
	      "\t\t\toption=${COMP_WORDS[i]}\n"
	      "\t\t\t[[ ${COMP_WORDS[i + 1]-} != = ]] || ((i += 1))\n"
	      "\t\t\t((i += 1))\n"
	      "\t\t\t[[ $option != --host ]] || host=${COMP_WORDS[i]-}\n"
	      "\t\t\t;;\n"
	      "\t\t--host=*) host=${COMP_WORDS[i]#*=} ;;\n"
	      "\t\t--) return ;;\n"
	      "\t\t-*) ;;\n"
	      "\t\t*)\n"
	      "\t\t\tif [[ -z $command ]]; then\n"
	      "\t\t\t\tcommand=${COMP_WORDS[i]}\n"
	      "\t\t\telse\n"
	      "\t\t\t\toperands+=(\"${COMP_WORDS[i]}\")\n"
	      "\t\t\tfi\n"
	      "\t\t\t;;\n"
	      "\t\tesac\n"
	      "\tdone\n",
	      f);
}

static void bash_subcommands(FILE *f, const struct completion_program *program)
{
	fputs("\tcase $command in\n", f);
	for (size_t i = 0; i < program->n_commands; i++) {
		fprintf(f, "\t%s)\n", program->commands[i].name);
		bash_options(f, program, &program->commands[i]);
		print_places(f, "${#operands[@]}:${operands[0]-}", program->commands[i].operands,
			     bash_operand);
		fputs("\t\t;;\n", f);
	}
	fputs("\t'')\n", f);
	bash_options(f, program, NULL);
	for (size_t i = 0; i < program->n_commands; i++)
		bash_operand(f, program->commands[i].name, strlen(program->commands[i].name), NULL);
	fputs("\t\t;;\n"
	      "\tesac\n",
	      f);
}

static void print_bash(FILE *f, const struct completion_program *program)
{
	fprintf(f,
		"# Completion of %s for bash, made from its tables of options: source it, or install it\n"
		"# as /usr/share/bash-completion/completions/%s\n\n",
		program->name, program->name);
	if (program->n_commands)
		print_objects_function(f, program->name);
	fputs("# _cxl_candidates ARGUMENT...: adds what compgen finds; a name may have blanks\n"
	      "_cxl_candidates() {\n"
	      "\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P \"$prefix\" \"$@\" -- \"$current\")\n"
	      "}\n\n",
	      f);
	fprintf(f, "_%s_complete() {\n", program->name);
	bash_words(f, program);
	fputs("\tcase $previous in\n", f);
	for (size_t i = 0; i < program->options->n_rows; i++)
		if (program->options->rows[i].argument)
			bash_argument(f, &program->options->rows[i]);
	fputs("\tesac\n", f);
	bash_subcommands(f, program);
	fputs("\t[[ $current != -* ]] || _cxl_candidates -W \"$options\"\n"
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
		if (words_of(row))
			print_words(f, "(", words_of(row), ")");
		else
			fprintf(f, " %s", value ? value->zsh : ""); /* the blank: as it is */
	}
	fputc('\'', f);
}

static void zsh_operand(FILE *f, const char *word, size_t len, const struct value *value)
{
	if (value)
		fprintf(f, "\t\t\t%s\n", value->zsh);
	else
		fprintf(f, "\t\t\tcompadd -- %.*s\n", (int)len, word);
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
		print_places(f, "$((CURRENT - 1)):$words[1]", program->commands[i].operands,
			     zsh_operand);
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
	if (program->n_commands) {
		print_objects_function(f, program->name);
		zsh_operands(f, program);
	}
	fprintf(f, "_%s_complete() {\n", program->name);
	fputs("\tlocal context state state_descr line host='' i\n"
	      "\ttypeset -A opt_args\n"
	      "\tfor ((i = 2; i < CURRENT; i++)); do\n"
	      "\t\tcase $words[i] in\n"
	      "\t\t--host) host=$words[i + 1] ;;\n"
	      "\t\t--host=*) host=${words[i]#*=} ;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
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
		fprintf(f, " \\\n\t\t'*::operand: _%s_operands %s'\n\t\t;;\n", program->name,
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
