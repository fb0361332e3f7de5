/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_STRUTIL_H
#define CXLR_COMMON_STRUTIL_H

/*
 * Numbers from text and small string helpers. No function here allocates, keeps state or reads
 * past the terminating NUL; all may be called from any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * parse_address() - a physical address or serial number in an operand or a request
 * @s: "0x" and 1 to 16 hexadecimal digits, or the single digit "0"
 *
 * Nothing else is accepted, neither blanks nor decimal: kernel traces print some addresses in bare
 * hexadecimal ("dpa=1000"), and guessing the base would name a wrong page.
 *
 * Return: 0, or -EINVAL.
 */
int parse_address(const char *s, uint64_t *ret);

/*
 * number_readings() - the addresses that a number without base can mean, as a question
 * @s: any text
 * @ret: "0x1000 (hexadecimal) or 0x3e8 (decimal 1000)?"
 *
 * Return: whether @s is such a number: hexadecimal digits only.
 */
enum { NUMBER_READINGS_MAX = 96 };
bool number_readings(const char *s, char *ret, size_t size);

/*
 * parse_u64() - a number as sysfs prints it: decimal, or hexadecimal with 0x
 * @s: the whole string must be the number; blanks, signs and other bases are rejected
 *
 * Return: 0, -EINVAL, or -ERANGE when it does not fit.
 */
int parse_u64(const char *s, uint64_t *ret);

/* parse_int() - as parse_u64(), with an optional '-'; for NUMA nodes, whose "none" is -1 */
int parse_int(const char *s, int *ret);

/* Return: what follows @prefix in @s, or NULL when @s does not begin with it. */
const char *str_after_prefix(const char *s, const char *prefix);

static inline bool str_equal(const char *a, const char *b)
{
	return a && b && __builtin_strcmp(a, b) == 0;
}

/*
 * str_natural_cmp() - order names with numbers by value: mem2 before mem10
 *
 * Return: less than, equal to or greater than 0, as strcmp().
 */
int str_natural_cmp(const char *a, const char *b);

/* Removes white space, including newlines, from the end of @s in place. Return: @s. */
char *str_chomp(char *s);

/*
 * str_is_plain() - whether untrusted text may be printed as it is
 *
 * Return: true when @s holds only printable ASCII, which all kernel names and numbers are.
 */
bool str_is_plain(const char *s);

/* Return: what is shown of a byte of untrusted text: the byte if it is printable ASCII, else '?'.
 */
static inline char plain_byte(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x7f ? c : '?';
}

/* Replaces the bytes of @s that str_is_plain() does not admit by '?'. */
void str_make_plain(char *s);

/*
 * Return: a hash of the bytes, for tables whose keys are not chosen by clients. Files have names by
 * it (incident_found_anchor()), so it stays as it is.
 */
uint64_t hash_bytes(const void *bytes, size_t len);

/* Return: whether @s contains a control character, DEL, or a byte of C1 (0x80 to 0x9f) in UTF-8. */
bool str_has_control(const char *s);

/*
 * utf8_decode() - read a character of UTF-8 that is no ASCII
 * @s: ends with a NUL
 *
 * Return: its bytes; 0 when they are none (RFC 3629).
 */
unsigned int utf8_decode(const unsigned char *s, uint32_t *ret);

#endif
