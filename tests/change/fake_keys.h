/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_CHANGE_FAKE_KEYS_H
#define CXLR_TESTS_CHANGE_FAKE_KEYS_H

/*
 * Keys of the kernel, and a device with passphrases, without either: containers have no keys.
 * Suites replace the calls by the linker's --wrap. A key of type encrypted is a number, which is
 * the passphrase of the device; its blob has the number and a checksum of the key that wraps it.
 *
 * The device is in memory that child processes share, so that a child can be killed in the middle
 * of a change.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_device {
	uint64_t user, master; /* 0: no passphrase */
	bool locked, frozen;
	bool silent;	       /* does what it is sent, but does not answer */
	bool deaf;	       /* does not do what it is sent, and says so */
	unsigned int attempts; /* with a wrong key */
	unsigned int commands;
	uint64_t last_key;
	int binds; /* of the driver: 1 it has one, 0 none */
};

extern struct fake_device *fake_device;

/* errno of add_key() for that type; 0: none. */
extern int fake_error_of_user, fake_error_of_encrypted;
extern bool fake_decimal; /* the driver searches a decimal serial number, as Linux 7.3 */

/* @fn: called after each change, with the words of the attributes security and frozen */
void fake_keys_setup(void (*fn)(const char *security, const char *frozen));

/* The driver: for devices_on_write. */
int fake_keys_write(const char *path, const char *value);

/* Return: how many keys are in the keyring of this thread. */
size_t fake_keys_left(void);

/*
 * Ends the process before the step @n from now on, counted from 1: a file that is flushed, renamed
 * or removed, a command before and after the device has done it. 0: never.
 */
void fake_keys_kill_at(unsigned int n);

enum { FAKE_KILLED = 99 }; /* exit status */

#endif
