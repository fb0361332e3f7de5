/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REGISTRY_VERSION_H
#define CXLR_REDFISH_REGISTRY_VERSION_H

/*
 * The version of this service's message registry, in one place. As DSP0266 has it, the major
 * version changes when messages are removed or changed incompatibly, the minor version when
 * messages are added, and the errata version when texts are corrected.
 */

#define OWN_REGISTRY_PREFIX "CXLHost"
#define OWN_REGISTRY_MINOR  "1.0"
#define OWN_REGISTRY_ERRATA "0"

#define OWN_REGISTRY_VERSION OWN_REGISTRY_MINOR "." OWN_REGISTRY_ERRATA
#define OWN_REGISTRY_NAME    OWN_REGISTRY_PREFIX "." OWN_REGISTRY_MINOR /* of MessageIds */
#define OWN_REGISTRY_ID	     OWN_REGISTRY_PREFIX "." OWN_REGISTRY_VERSION

#endif
