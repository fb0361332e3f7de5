// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/authenticate.h"

#include <errno.h>
#include <string.h>

#include <gnutls/x509.h>

#include "redfish/auth/accounts_private.h"

/* Return: whether the certificate has exactly one CommonName, which can be a user name. */
static bool common_name(const struct http_client *client, char ret[static PRINCIPAL_NAME_MAX])
{
	gnutls_datum_t der = {.data = (unsigned char *)(uintptr_t)client->certificate,
			      .size = (unsigned int)client->certificate_len};
	size_t len = PRINCIPAL_NAME_MAX, other = 0;
	gnutls_x509_crt_t certificate;
	bool found = false;

	if (gnutls_x509_crt_init(&certificate) < 0)
		return false;
	if (gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER) >= 0 &&
	    gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0, ret,
					  &len) >= 0)
		found = strlen(ret) == len &&
			gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 1,
						      0, NULL, &other) ==
				GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE;
	gnutls_x509_crt_deinit(certificate);
	return found;
}

static int by_certificate(struct accounts *a, const struct http_client *client,
			  struct principal *ret)
{
	char name[PRINCIPAL_NAME_MAX];

	if (!common_name(client, name) || !accounts_by_name(a, name, ret))
		return -EACCES;
	ret->means = AUTHENTICATION_CERTIFICATE;
	return 0;
}

static int by_peer(const struct authenticator *a, const struct http_client *client,
		   struct principal *ret)
{
	if (client->uid == 0 || client->uid == a->uid)
		ret->role = ROLE_ADMINISTRATOR;
	else if (client->in_own_group)
		ret->role = ROLE_READ_ONLY;
	else
		return -EACCES;
	ret->privileges = role_privileges(ret->role);
	ret->means = AUTHENTICATION_PEER;
	return 0;
}

static int by_address(const struct http_request *req, struct principal *ret)
{
	bool reads = req->method == METHOD_GET || req->method == METHOD_HEAD;

	ret->role = ROLE_READ_ONLY;
	ret->privileges = reads ? PRIVILEGE_LOGIN : 0;
	ret->means = AUTHENTICATION_NAMED_PEER;
	return 0;
}

bool request_has_credential(const struct http_request *req)
{
	return req->headers[HEADER_AUTHORIZATION] || req->headers[HEADER_X_AUTH_TOKEN] ||
	       req->client.certificate;
}

int authenticate(const struct authenticator *a, const struct http_request *req,
		 struct principal *ret, unsigned int *ret_retry_s)
{
	const struct http_client *client = &req->client;
	const char *token = req->headers[HEADER_X_AUTH_TOKEN];

	if (client->access == HTTP_ACCESS_READ_ONLY)
		return by_address(req, ret);
	if (token)
		return sessions_authenticate(a->sessions, token, ret) ? 0 : -EACCES;
	if (req->headers[HEADER_AUTHORIZATION])
		return basic_authenticate(a->basic, req, ret, ret_retry_s);
	if (client->certificate)
		return by_certificate(a->accounts, client, ret);
	if (client->transport == HTTP_OVER_UNIX && client->has_credentials)
		return by_peer(a, client, ret);
	return -EACCES;
}
