/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PRINCIPAL_H
#define CXLR_REDFISH_PRINCIPAL_H

/*
 * The authenticated sender of a request and its privileges. Plain values without pointers.
 */

#include <stdbool.h>
#include <stdint.h>

/* Redfish's standard privileges (DSP0266 1.20 13.4.3) as a set of bits. */
enum {
	PRIVILEGE_LOGIN = 1 << 0,
	PRIVILEGE_CONFIGURE_MANAGER = 1 << 1,
	PRIVILEGE_CONFIGURE_USERS = 1 << 2,
	PRIVILEGE_CONFIGURE_COMPONENTS = 1 << 3,
	PRIVILEGE_CONFIGURE_SELF = 1 << 4,
	PRIVILEGES_ALL = (1 << 5) - 1,
	/* Only as the requirement of a request: no authentication is needed. */
	PRIVILEGE_NO_AUTH = 1 << 5,
};

/* How the principal was authenticated. */
enum authentication {
	AUTHENTICATION_NONE,	     /* not authenticated: the operation does not require it */
	AUTHENTICATION_NOT_REQUIRED, /* the service has no accounts */
	AUTHENTICATION_BASIC,	     /* HTTP Basic (RFC 7617) */
	AUTHENTICATION_SESSION,	     /* X-Auth-Token */
	AUTHENTICATION_CERTIFICATE,  /* a TLS client's certificate */
	AUTHENTICATION_PEER,	     /* credentials of the peer of a Unix socket */
	AUTHENTICATION_NAMED_PEER,   /* an address that may read without authentication */
	AUTHENTICATION_CORE,	     /* the address of the Sunfish core; see service/core_peer.h */
};

/* The standard roles (DSP0266 1.20 13.4.4), none of which can be changed. */
enum role { ROLE_NONE, ROLE_READ_ONLY, ROLE_OPERATOR, ROLE_ADMINISTRATOR };

enum { PRINCIPAL_NAME_MAX = 64, PRINCIPAL_FROM_MAX = 64 };

struct principal {
	char name[PRINCIPAL_NAME_MAX]; /* of the account; "" without */
	char from[PRINCIPAL_FROM_MAX]; /* the client, for the audit log: an address, "uid 0" */
	enum authentication means;
	enum role role;
	unsigned int privileges; /* PRIVILEGE_… */
	uint64_t account;	 /* its number; 0 without one */
	uint64_t session;	 /* its number; 0 without one */
	uint64_t credential;	 /* of the account, from its last change; 0 without one */
	bool password_change_required;
};

#endif
