/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_FMAPI_H
#define CXLR_MAILBOX_FMAPI_H

/*
 * Layouts of the commands of the Fabric Manager API (FM-API) that this service sends: what their
 * payloads say, and how they are encoded and decoded. Pure functions on plain data; any thread.
 *
 * An encoder writes the input payload to @p, of @size bytes. Return: its length; -EMSGSIZE when it
 * is more than @size; -EINVAL when a value is out of its range.
 *
 * Payloads are untrusted. A decoder rejects (-EBADMSG) what is shorter than its counts say, what
 * has more elements than were asked for, and what answers another question than the one that was
 * asked; reserved bits are ignored, and what follows the last element is, too. Enumerated values
 * are kept as they are, known or not. A field that the specification does not define in the state
 * that the others say is 0.
 *
 * Sources: CXL 3.2 7.6.7 (commands), 8.2.10.1.1 (Identify).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fmapi_opcode {
	FMAPI_IDENTIFY = 0x0001,
	FMAPI_BACKGROUND_STATUS = 0x0002,
	FMAPI_GET_EVENT_RECORDS = 0x0100,
	FMAPI_IDENTIFY_SWITCH = 0x5100,
	FMAPI_GET_PORT_STATE = 0x5101,
	FMAPI_PORT_CONTROL = 0x5102,
	FMAPI_GET_VCS_INFO = 0x5200,
	FMAPI_BIND_VPPB = 0x5201,
	FMAPI_UNBIND_VPPB = 0x5202,
	FMAPI_GENERATE_AER = 0x5203,
	FMAPI_TUNNEL = 0x5300,
	FMAPI_GET_LD_INFO = 0x5400,
	FMAPI_GET_LD_ALLOCATIONS = 0x5401,
	FMAPI_SET_LD_ALLOCATIONS = 0x5402,
	FMAPI_GET_QOS_CONTROL = 0x5403,
	FMAPI_SET_QOS_CONTROL = 0x5404,
	FMAPI_GET_QOS_STATUS = 0x5405,
	FMAPI_GET_QOS_ALLOCATED_BW = 0x5406,
	FMAPI_SET_QOS_ALLOCATED_BW = 0x5407,
	FMAPI_GET_QOS_BW_LIMIT = 0x5408,
	FMAPI_SET_QOS_BW_LIMIT = 0x5409,
	FMAPI_GET_DCD_INFO = 0x5600,
	FMAPI_GET_DC_REGIONS = 0x5601,
	FMAPI_SET_DC_REGION = 0x5602,
	FMAPI_GET_EXTENTS = 0x5603,
	FMAPI_DC_ADD = 0x5604,
	FMAPI_DC_RELEASE = 0x5605,
};

enum {
	FMAPI_PORTS_MAX = 256, /* port Ids are 8 bits wide */
	FMAPI_VCS_MAX = 256,
	FMAPI_VPPBS_MAX = 256, /* of a VCS */
	FMAPI_LDS_MAX = 256,   /* of a device; the specification has 16 */
	FMAPI_BITMAP_BYTES = 32,
	FMAPI_NO_LD = 0xffff, /* Bind vPPB: the port is not bound as that of an MLD */
};

/* ---- Identify, 0001h (CXL 3.2 8.2.10.1.1) -----------------------------------------------------
 */

enum fmapi_component {
	FMAPI_COMPONENT_SWITCH = 0,
	FMAPI_COMPONENT_TYPE3 = 3,
	FMAPI_COMPONENT_UNKNOWN = 0xff, /* the payload ends before it */
};

struct fmapi_identity {
	uint16_t vendor, device, subsystem_vendor, subsystem; /* PCI */
	uint64_t serial;				      /* 0: none */
	uint8_t max_message;				      /* as an exponent of 2 */
	uint8_t component;				      /* enum fmapi_component */
};

int fmapi_decode_identity(const uint8_t *p, size_t len, struct fmapi_identity *ret);

/* ---- Identify Switch Device, 5100h (7.6.7.1.1) ------------------------------------------------
 */

struct fmapi_switch {
	uint8_t ingress_port; /* through which the command came */
	uint8_t n_ports, n_vcs;
	uint8_t active_ports[FMAPI_BITMAP_BYTES], active_vcs[FMAPI_BITMAP_BYTES];
	uint16_t n_vppbs, n_bound_vppbs;
	uint8_t n_hdm_decoders; /* of each upstream port */
};

int fmapi_decode_switch(const uint8_t *p, size_t len, struct fmapi_switch *ret);

/* Return: whether bit @i of a bitmap is set. */
bool fmapi_bit(const uint8_t bitmap[static FMAPI_BITMAP_BYTES], unsigned int i);

/* ---- Get Physical Port State, 5101h (7.6.7.1.2) -----------------------------------------------
 */

enum fmapi_port_config {
	FMAPI_PORT_DISABLED,
	FMAPI_PORT_BINDING,
	FMAPI_PORT_UNBINDING,
	FMAPI_PORT_DSP,
	FMAPI_PORT_USP,
	FMAPI_PORT_FABRIC,
	FMAPI_PORT_INVALID = 15, /* there is no such port; all else is undefined */
};

enum fmapi_device_mode {
	FMAPI_MODE_DISCONNECTED, /* or no CXL */
	FMAPI_MODE_RCD,
	FMAPI_MODE_68B,
	FMAPI_MODE_256B,
	FMAPI_MODE_LATENCY_OPTIMIZED,
	FMAPI_MODE_PBR,
};

enum fmapi_device_type {
	FMAPI_DEVICE_NONE,
	FMAPI_DEVICE_PCIE,
	FMAPI_DEVICE_TYPE1,
	FMAPI_DEVICE_TYPE2, /* or an HBR switch */
	FMAPI_DEVICE_SLD,
	FMAPI_DEVICE_MLD,
	FMAPI_DEVICE_PBR,
};

/* Bits of `supported_modes`. */
enum {
	FMAPI_SUPPORTS_RCD = 1 << 0,
	FMAPI_SUPPORTS_68B = 1 << 1,
	FMAPI_SUPPORTS_256B = 1 << 2,
	FMAPI_SUPPORTS_LATENCY_OPTIMIZED = 1 << 3,
	FMAPI_SUPPORTS_PBR = 1 << 4,
};

/* Bits of `link_flags`. */
enum {
	FMAPI_LINK_LANES_REVERSED = 1 << 0,
	FMAPI_LINK_PERST = 1 << 1,
	FMAPI_LINK_PRESENT = 1 << 2,
	FMAPI_LINK_POWER_OFF = 1 << 3,
};

/* States of the link's training state machine (LTSSM). */
enum fmapi_ltssm {
	FMAPI_LTSSM_DETECT,
	FMAPI_LTSSM_POLLING,
	FMAPI_LTSSM_CONFIGURATION,
	FMAPI_LTSSM_RECOVERY,
	FMAPI_LTSSM_L0,
	FMAPI_LTSSM_L0S,
	FMAPI_LTSSM_L1,
	FMAPI_LTSSM_L2,
	FMAPI_LTSSM_DISABLED,
	FMAPI_LTSSM_LOOPBACK,
	FMAPI_LTSSM_HOT_RESET,
};

struct fmapi_port {
	uint8_t id;
	uint8_t config;		  /* enum fmapi_port_config */
	uint8_t device_mode;	  /* enum fmapi_device_mode; only of FMAPI_PORT_DSP */
	uint8_t device_type;	  /* enum fmapi_device_type; only of DSP and FABRIC, with modes */
	uint8_t supported_modes;  /* 0: neither these nor the type are defined */
	uint8_t max_width, width; /* lanes; of a link that is down undefined */
	uint8_t speeds;		  /* bit n: code n + 1 is supported */
	uint8_t max_speed, speed; /* codes of PCIe: 1 is 2.5 GT/s, 6 is 64 GT/s */
	uint8_t ltssm;		  /* enum fmapi_ltssm */
	uint8_t first_lane;
	uint16_t link_flags;
	uint8_t additional_lds; /* beside the first */
};

/* Return: whether the type of the device is defined. */
bool fmapi_port_has_device_type(const struct fmapi_port *p);

/* Asks for the ports @ids; @n: 1 to 255. */
int fmapi_encode_get_port_state(const uint8_t *ids, size_t n, uint8_t *p, size_t size);

/* Return: how many ports a request may ask for, when payloads are @payload_max bytes long. */
size_t fmapi_port_states_max(size_t payload_max);

/* @ids, @n: as they were asked for; @ret: @n ports, in this order */
int fmapi_decode_port_state(const uint8_t *p, size_t len, const uint8_t *ids, size_t n,
			    struct fmapi_port *ret);

/* ---- Physical Port Control, 5102h (7.6.7.1.3) -------------------------------------------------
 */

enum fmapi_port_operation { FMAPI_ASSERT_PERST, FMAPI_DEASSERT_PERST, FMAPI_RESET_PPB };

int fmapi_encode_port_control(uint8_t port, enum fmapi_port_operation operation, uint8_t *p,
			      size_t size);

/* ---- Get Virtual CXL Switch Info, 5200h (7.6.7.2.1) -------------------------------------------
 */

enum fmapi_binding {
	FMAPI_UNBOUND,
	FMAPI_BINDING, /* or unbinding */
	FMAPI_BOUND_PORT,
	FMAPI_BOUND_LD,
	FMAPI_BOUND_PID,
};

struct fmapi_vppb {
	uint8_t binding; /* enum fmapi_binding */
	uint8_t port;	 /* FMAPI_BOUND_PORT and FMAPI_BOUND_LD */
	uint8_t ld;	 /* FMAPI_BOUND_LD */
	uint16_t pid;	 /* FMAPI_BOUND_PID */
};

/* Return: whether it is bound to `port`, or to an LD of the device there. */
bool fmapi_vppb_is_bound(const struct fmapi_vppb *v);

enum fmapi_vcs_state { FMAPI_VCS_DISABLED, FMAPI_VCS_ENABLED, FMAPI_VCS_INVALID = 255 };

struct fmapi_vcs {
	uint8_t id;
	uint8_t state;				  /* enum fmapi_vcs_state */
	uint8_t usp;				  /* its upstream port; of an enabled one */
	uint8_t n_vppbs;			  /* all of them */
	uint8_t n_listed;			  /* those of this reply */
	struct fmapi_vppb vppbs[FMAPI_VPPBS_MAX]; /* from the one on that was asked for */
};

/* One VCS at a time: at most @limit of its vPPBs from @first on; @limit: 1 to 255. */
int fmapi_encode_get_vcs_info(uint8_t vcs, uint8_t first, uint8_t limit, uint8_t *p, size_t size);
int fmapi_decode_vcs_info(const uint8_t *p, size_t len, uint8_t vcs, uint8_t first, uint8_t limit,
			  struct fmapi_vcs *ret);

/* Return: how many vPPBs a request may ask for, when payloads are @payload_max bytes long. */
size_t fmapi_vppbs_max(size_t payload_max);

/* ---- Bind vPPB, 5201h; Unbind vPPB, 5202h (7.6.7.2.2, 7.6.7.2.3) ------------------------------
 */

/* @ld: FMAPI_NO_LD, or an LD of the MLD on the port */
int fmapi_encode_bind(uint8_t vcs, uint8_t vppb, uint8_t port, uint16_t ld, uint8_t *p,
		      size_t size);

enum fmapi_unbind { FMAPI_UNBIND_LINK_DOWN, FMAPI_UNBIND_MANAGED, FMAPI_UNBIND_SURPRISE };

int fmapi_encode_unbind(uint8_t vcs, uint8_t vppb, enum fmapi_unbind option, uint8_t *p,
			size_t size);

/* ---- Generate AER Event, 5203h (7.6.7.2.4) ----------------------------------------------------
 */

enum { FMAPI_AER_HEADER = 32, FMAPI_AER_BITS = 32 };

struct fmapi_aer {
	uint8_t vcs, vppb; /* vPPB 0 is the upstream port */
	bool uncorrectable;
	uint8_t bit; /* of the AER status register of that severity: 0 to 31 */
	uint8_t header[FMAPI_AER_HEADER];
};

int fmapi_encode_aer(const struct fmapi_aer *aer, uint8_t *p, size_t size);

/* ---- Get LD Info, 5400h (7.6.7.4.1) -----------------------------------------------------------
 */

struct fmapi_ld_info {
	uint64_t memory_size; /* bytes, of the whole device */
	uint16_t n_lds;
	bool egress_congestion, throughput_reduction; /* supported */
};

int fmapi_decode_ld_info(const uint8_t *p, size_t len, struct fmapi_ld_info *ret);

/* ---- Get and Set LD Allocations, 5401h and 5402h (7.6.7.4.2, 7.6.7.4.3) -----------------------
 */

struct fmapi_ld_allocation {
	uint64_t range1, range2; /* multiples of the granularity */
};

struct fmapi_ld_allocations {
	uint8_t n_lds;	      /* all that are enabled; 0 in the reply to Set */
	uint64_t granularity; /* bytes; 0: a reserved code, or the reply to Set */
	uint8_t first, n;
	struct fmapi_ld_allocation lds[FMAPI_LDS_MAX];
};

/* At most @limit LDs from @first on; @limit: 1 to 255. A reply has one at least, if there is one.
 */
int fmapi_encode_get_ld_allocations(uint8_t first, uint8_t limit, uint8_t *p, size_t size);
int fmapi_decode_ld_allocations(const uint8_t *p, size_t len, uint8_t first, uint8_t limit,
				struct fmapi_ld_allocations *ret);

/* Return: how many LDs a request may ask for, when payloads are @payload_max bytes long. */
size_t fmapi_ld_allocations_max(size_t payload_max);

/* @n: 1 to 255 */
int fmapi_encode_set_ld_allocations(uint8_t first, const struct fmapi_ld_allocation *lds, size_t n,
				    uint8_t *p, size_t size);
int fmapi_decode_set_ld_allocations(const uint8_t *p, size_t len, uint8_t first, size_t n,
				    struct fmapi_ld_allocations *ret);

/* Return: bytes of an allocation; false when they are unknown or do not fit in 64 bits. */
bool fmapi_ld_size(const struct fmapi_ld_allocations *a, size_t i, uint64_t *ret_bytes);

/* ---- Get and Set QoS Control, 5403h and 5404h (7.6.7.4.4, 7.6.7.4.5) --------------------------
 */

struct fmapi_qos_control {
	bool egress_congestion, throughput_reduction; /* enabled */
	uint8_t moderate_percent, severe_percent;     /* 1 to 100; in a reply also 0 */
	uint8_t sample_interval_ns;		      /* 0 to 15; 0: the mechanism is off */
	uint16_t req_cmp_basis;			      /* 0: the mechanism is off */
	uint8_t completion_interval_ns;
};

int fmapi_decode_qos_control(const uint8_t *p, size_t len, struct fmapi_qos_control *ret);

int fmapi_encode_qos_control(const struct fmapi_qos_control *q, uint8_t *p, size_t size);

/* ---- Get QoS Status, 5405h (7.6.7.4.6) --------------------------------------------------------
 */

int fmapi_decode_qos_status(const uint8_t *p, size_t len, uint8_t *ret_percent);

/* ---- QoS Allocated BW and BW Limit, 5406h to 5409h (7.6.7.4.7 to 7.6.7.4.10) ------------------
 */

/* Fractions of LDs, in 256ths: all four commands have this payload, the requests of Get without the
 * fractions. */
struct fmapi_qos_bw {
	uint8_t first, n;
	uint8_t fractions[FMAPI_LDS_MAX];
};

/* @n: 1 to 255 */
int fmapi_encode_get_qos_bw(uint8_t first, uint8_t n, uint8_t *p, size_t size);
int fmapi_encode_set_qos_bw(uint8_t first, const uint8_t *fractions, size_t n, uint8_t *p,
			    size_t size);
int fmapi_decode_qos_bw(const uint8_t *p, size_t len, uint8_t first, uint8_t n,
			struct fmapi_qos_bw *ret);

/*
 * Fractions as percentages, to the nearest one; 255/256 is 100 percent, because there is no
 * 256/256. A percentage of 0 to 100 comes back the same from its fraction; of the 256 fractions,
 * some share a percentage.
 */
unsigned int fmapi_percent_of_fraction(uint8_t fraction);
uint8_t fmapi_fraction_of_percent(unsigned int percent);

#endif
