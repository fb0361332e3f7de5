// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Words and errors of certificates.
#include "redfish/resources/service/certificates.h"

#include <errno.h>
#include <stddef.h>

const char *const key_usages[] = {
	"DigitalSignature", "NonRepudiation",	    "KeyEncipherment",	    "DataEncipherment",
	"KeyAgreement",	    "KeyCertSign",	    "CRLSigning",	    "EncipherOnly",
	"DecipherOnly",	    "ServerAuthentication", "ClientAuthentication", "CodeSigning",
	"EmailProtection",  "Timestamping",	    "OCSPSigning",	    NULL,
};

int certificate_result(struct exchange *x, int r, const struct error *e)
{
	switch (r) {
	case -EINVAL:
	case -ENOKEY:
	case -EKEYREJECTED:
		return exchange_refuse(x, MESSAGE_CERTIFICATE_REJECTED, e->text, NULL, NULL);
	case -EPERM:
		(void)exchange_refuse(x, MESSAGE_CERTIFICATE_REJECTED, e->text, NULL, NULL);
		x->message.status = 403;
		return -EINVAL;
	case -EEXIST:
		return exchange_refuse(x, MESSAGE_RESOURCE_ALREADY_EXISTS, "Certificate",
				       "CertificateString", "of the same certificate");
	case -ENOSPC:
		return r;
	case -ENOENT:
		return exchange_missing(x);
	default:
		return r;
	}
}
