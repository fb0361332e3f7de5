/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FINDING_CODES_H
#define CXLR_MODEL_FINDING_CODES_H

/*
 * All findings: X(code, severity), with the arguments of each as a comment. An argument in brackets
 * may be absent (FINDING_ARG_NONE). Front ends have a text for each code they show. Numbers of
 * codes are not stored anywhere and may change; their names are stable: cxl-spa explain --json
 * prints them, and cxl-spa-explain(1) lists them.
 */

#define FINDING_CODES(X)                                                                           \
	/* The host. */                                                                            \
	X(HOST_NO_CXL, PROBLEM) /* reason */                                                       \
	X(HOST_SUMMARY, INFO)	/* [kernel], windows, regions, memory devices */                   \
	X(HOST_NO_ROOT, PROBLEM)                                                                   \
	X(HOST_NO_WINDOW, PROBLEM)                                                                 \
	X(HOST_NO_MEMDEV, PROBLEM)                                                                 \
	X(HOST_FIND_MEMDEV, ADVICE)                                                                \
	X(HOST_ALL_MAPPED, INFO)	 /* capacity */                                            \
	X(HOST_PARTLY_MAPPED, INFO)	 /* capacity in regions, capacity */                       \
	X(HOST_NOTHING_MAPPED, INFO)	 /* capacity */                                            \
	X(HOST_ACCESS_DENIED, PROBLEM)	 /* list of files */                                       \
	X(HOST_NOTE, PROBLEM)		 /* what could not be read or was refused */               \
	X(HOST_NOT_NORMALIZED, INFO)	 /* reason: state of the PRM handler */                    \
	X(HOST_NORMALIZED, INFO)	 /* list of memory devices */                              \
	X(HOST_HANDLER_PRESENT, INFO)	 /* reason: state of the PRM handler */                    \
	X(HOST_HANDLER_MISSING, PROBLEM) /* reason: state of the PRM handler */                    \
	X(HOST_TABLE_GIVEN, INFO)	 /* table, file that it was handed in with */              \
	X(RUN_AS_ROOT, ADVICE)                                                                     \
                                                                                                   \
	/* Windows (root decoders) and the decoders of ports. */                                   \
	X(WINDOW_RANGE, INFO)		 /* range, size */                                         \
	X(WINDOW_START_UNKNOWN, PROBLEM) /* size */                                                \
	X(WINDOW_INTERLEAVE, INFO)	 /* ways, granularity */                                   \
	X(WINDOW_ALLOWS, INFO)		 /* list of kinds of memory */                             \
	X(WINDOW_LOCKED, INFO)                                                                     \
	X(WINDOW_ARITHMETIC, INFO) /* name of the arithmetic */                                    \
	X(WINDOW_CEDT_GIVEN, INFO) /* file that the table was handed in with */                    \
	X(WINDOW_CEDT_DENIED, PROBLEM)                                                             \
	X(WINDOW_CEDT_ABSENT, PROBLEM)                                                             \
	X(WINDOW_CEDT_UNREADABLE, PROBLEM)                                                         \
	X(WINDOW_NOT_IN_CEDT, PROBLEM)                                                             \
	X(WINDOW_READ_CEDT, ADVICE)                                                                \
	X(WINDOW_REGIONS, INFO) /* list of regions */                                              \
	X(WINDOW_NO_REGION, INFO)                                                                  \
	X(WINDOW_FULL, INFO)                                                                       \
	X(WINDOW_GAP, INFO)		   /* range, size */                                       \
	X(WINDOW_UNKNOWN_USE, PROBLEM)	   /* list of ranges in /proc/iomem */                     \
	X(PORT_DECODER_RANGE, INFO)	   /* kind of port, port, range */                         \
	X(PORT_DECODER_INTERLEAVE, INFO)   /* ways, granularity */                                 \
	X(DECODER_TARGETS, INFO)	   /* list of targets */                                   \
	X(DECODER_TARGET_MISSING, PROBLEM) /* position, id */                                      \
                                                                                                   \
	/* Endpoint decoders. */                                                                   \
	X(DECODER_IDLE, INFO)                                                                      \
	X(DECODER_IN_REGION, INFO) /* region */                                                    \
	X(DECODER_NO_REGION, PROBLEM)                                                              \
	X(DECODER_DPA, INFO)	    /* range, size, mode */                                        \
	X(DECODER_NORMALIZED, INFO) /* range */                                                    \
	X(DECODER_ORDINARY, INFO)   /* range */                                                    \
	X(DECODER_NOT_COMMITTED, PROBLEM)                                                          \
	X(DECODER_MAPPING_UNKNOWN, PROBLEM)                                                        \
	X(DECODER_NO_DPA, PROBLEM)                                                                 \
	X(DECODER_SIZE_MISMATCH, PROBLEM) /* bytes, ways, bytes of DPA */                          \
	X(DECODER_DPA_RESERVED, PROBLEM)                                                           \
	X(DECODER_FREE_DPA, ADVICE) /* decoder, memory device */                                   \
	X(DECODER_LOCKED, INFO)                                                                    \
	X(DECODER_KERNEL_TOO_OLD, PROBLEM) /* kernel, range */                                     \
	X(DECODER_UPDATE_KERNEL, ADVICE)                                                           \
	X(DECODER_NORMALIZED_NO_REGION, PROBLEM) /* reason: state of the PRM handler */            \
	X(DECODER_CHECK_KERNEL, ADVICE)                                                            \
	X(DECODER_START_UNKNOWN, PROBLEM)                                                          \
	X(DECODER_ALONE_IN_WINDOW, PROBLEM) /* window */                                           \
	X(DECODER_OUTSIDE_WINDOWS, PROBLEM)                                                        \
	X(DECODER_CHECK_KERNEL_LOG, ADVICE)                                                        \
	X(DECODER_DPA_NOT_ASCENDING, PROBLEM) /* decoder, range, range, decoder below */           \
	X(DECODER_SPA_NOT_ASCENDING, PROBLEM) /* decoder, range, range, decoder below */           \
	X(DECODER_AFTER_IDLE, PROBLEM)	      /* decoder, list of idle decoders */                 \
                                                                                                   \
	/* Who translates the DPAs of an endpoint decoder. */                                      \
	X(SOURCES, INFO)		   /* list of sources */                                   \
	X(SOURCES_PARTLY, INFO)		   /* list of sources */                                   \
	X(SOURCE_NONE, PROBLEM)		   /* [reason of the translator] */                        \
	X(SOURCE_NONE_PARTLY, PROBLEM)	   /* [reason of the translator] */                        \
	X(SOURCE_INTERVAL, PROBLEM)	   /* reason of the translator */                          \
	X(SOURCE_INTERVAL_PARTLY, PROBLEM) /* reason of the translator */                          \
	X(SOURCE_FEW_RECORDED, ADVICE)                                                             \
	X(SOURCE_NOT_RECORDED, ADVICE)                                                             \
	X(SOURCE_READ_PRMT, ADVICE)                                                                \
	X(SOURCE_READ_ADDRESSES, ADVICE)                                                           \
	X(SOURCE_NEEDS_HANDLER, ADVICE)	 /* reason: state of the PRM handler */                    \
	X(SOURCE_NEEDS_FIRMWARE, ADVICE) /* what to do */                                          \
                                                                                                   \
	/* Regions. */                                                                             \
	X(REGION_NO_ADDRESS, PROBLEM) /* [window] */                                               \
	X(REGION_CREATE_ANEW, ADVICE) /* region */                                                 \
	X(REGION_RANGE, INFO)	      /* range, size, mode, [ways], [granularity], [window] */     \
	X(REGION_MEMORY_CACHE, INFO)  /* size */                                                   \
	X(REGION_TARGETS_UNKNOWN, PROBLEM)                                                         \
	X(REGION_TARGETS, INFO) /* list of targets */                                              \
	X(REGION_KERNEL_ADDRESS, PROBLEM)                                                          \
	X(REGION_TARGET_MISPLACED, PROBLEM) /* memory device, position, expected position */       \
	X(REGION_TARGETS_MISROUTED, PROBLEM)                                                       \
	X(REGION_ORDER_EFFECT, ADVICE)	  /* region */                                             \
	X(REGION_SHARE_MISMATCH, PROBLEM) /* decoder, bytes, expected bytes */                     \
	X(REGION_SIZE_MISMATCH, PROBLEM)  /* decoder, bytes, expected bytes */                     \
	X(REGION_START_MISMATCH, PROBLEM) /* decoder, address, expected address */                 \
	X(REGION_WAYS_MISMATCH, PROBLEM)  /* decoder, ways, expected ways */                       \
	X(REGION_NOT_COMMITTED, PROBLEM)                                                           \
	X(REGION_INCOMPLETE, PROBLEM) /* [list of positions], last position */                     \
	X(REGION_ATTACH, ADVICE) /* position, memory device, place, [serial], decoder, mode, */    \
				 /* bytes, region */                                               \
	X(REGION_ATTACH_RESERVED, ADVICE)  /* as of REGION_ATTACH, whose DPA is reserved */        \
	X(REGION_ENABLE_MEMDEV, ADVICE)	   /* position, memory device, place, port */              \
	X(REGION_BIND_FUNCTION, ADVICE)	   /* position, PCI function, port */                      \
	X(REGION_FIND_MEMDEV, ADVICE)	   /* position, port, [size, mode] */                      \
	X(REGION_CHECK_KERNEL_LOG, ADVICE) /* region */                                            \
	X(REGION_DEVICE_GONE, PROBLEM)	   /* list of positions, last position */                  \
	X(REGION_DISABLE, ADVICE)	   /* region */                                            \
	X(REGION_COMMIT, ADVICE)	   /* region */                                            \
	X(REGION_NO_DRIVER, PROBLEM)                                                               \
	X(REGION_ENABLE, ADVICE) /* region */                                                      \
	X(REGION_ENABLED, INFO)                                                                    \
	X(REGION_COMMIT_UNKNOWN, INFO)                                                             \
	X(REGION_LOCKED, INFO)                                                                     \
	X(REGION_NORMALIZED, INFO)                                                                 \
	X(REGION_ARITHMETIC, INFO) /* name of the arithmetic */                                    \
	X(REGION_ARITHMETIC_UNKNOWN, INFO)                                                         \
	X(REGION_USERS_UNKNOWN, INFO)                                                              \
	X(REGION_USERS, INFO) /* list of ranges in /proc/iomem */                                  \
	X(REGION_NO_USER, PROBLEM)                                                                 \
	X(REGION_DAX_DEVICE, INFO)	/* dax device, mode, [NUMA node] */                        \
	X(REGION_SYSTEM_RAM, INFO)	/* dax device, [NUMA node], [online], [memory blocks] */   \
	X(REGION_ONLINE_MEMORY, ADVICE) /* dax device */                                           \
	X(REGION_NO_DAX_DEVICE, PROBLEM)                                                           \
	X(REGION_OF_ACCELERATOR, INFO)                                                             \
	X(REGION_CHECK_DAX_DRIVER, ADVICE)                                                         \
	X(REGION_NAMESPACES, INFO)	   /* region of the nvdimm bus, namespaces */              \
	X(REGION_NO_NAMESPACE, PROBLEM)	   /* region of the nvdimm bus */                          \
	X(REGION_CREATE_NAMESPACE, ADVICE) /* region of the nvdimm bus */                          \
	X(REGION_NO_ND_REGION, PROBLEM)                                                            \
	X(REGION_LOAD_PMEM, ADVICE)                                                                \
                                                                                                   \
	/* Memory devices and their capacity. */                                                   \
	X(MEMDEV_IDENTITY, INFO)	  /* place, [serial], [ram], [pmem], [NUMA node] */        \
	X(MEMDEV_CONNECTED, INFO)	  /* endpoint, kind of port, port */                       \
	X(MEMDEV_NO_PORT_DRIVER, PROBLEM) /* endpoint */                                           \
	X(MEMDEV_NO_ENDPOINT, PROBLEM)                                                             \
	X(MEMDEV_NO_DRIVER, PROBLEM)                                                               \
	X(MEMDEV_CHECK_KERNEL_LOG, ADVICE) /* memory device */                                     \
	X(MEMDEV_ENABLE, ADVICE)	   /* memory device */                                     \
	X(MEMDEV_ENABLE_PORT, ADVICE)	   /* endpoint */                                          \
	X(MEMDEV_SERIAL_ZERO, PROBLEM)	   /* list of memory devices */                            \
	X(MEMDEV_SERIAL_SHARED, PROBLEM)   /* serial, list of memory devices */                    \
	X(MEMDEV_NAME_BY_PLACE, ADVICE)                                                            \
	X(MEMDEV_DECODERS, INFO) /* decoders in use, decoders */                                   \
	X(CAPACITY_UNREADABLE, PROBLEM)                                                            \
	X(CAPACITY_NONE, PROBLEM)                                                                  \
	X(CAPACITY_MAPPED, INFO)                                                                   \
	X(CAPACITY_UNMAPPED, PROBLEM) /* range, size, partition */                                 \
	X(CAPACITY_AWAITED, INFO)     /* range, size, partition, region, position */               \
	X(CAPACITY_NORMALIZED, ADVICE)                                                             \
	X(CAPACITY_DECODERS_PASSED, PROBLEM)                                                       \
	X(CAPACITY_DECODERS_USED, PROBLEM)                                                         \
	X(CAPACITY_NO_DECODER, PROBLEM)                                                            \
	X(CAPACITY_TOO_SMALL, PROBLEM)	     /* partition */                                       \
	X(CAPACITY_CREATE_REGION, ADVICE)    /* partition, window, memory device, [MiB] */         \
	X(CAPACITY_CREATE_SHARED, ADVICE)    /* partition */                                       \
	X(CAPACITY_WINDOW_LOCKED, PROBLEM)   /* partition, window */                               \
	X(CAPACITY_WINDOW_FULL, PROBLEM)     /* partition, window */                               \
	X(CAPACITY_WINDOW_SMALL, PROBLEM)    /* partition, window */                               \
	X(CAPACITY_WINDOW_UNKNOWN, PROBLEM)  /* partition, window */                               \
	X(CAPACITY_WINDOW_UNPAIRED, PROBLEM) /* partition, window */                               \
	X(CAPACITY_NO_WINDOW, PROBLEM)	     /* partition */                                       \
                                                                                                   \
	/* Ports, dax devices, and PCI functions that no memory device was made of. */             \
	X(PORT_PLACE, INFO) /* kind of port, host, [parent], [its dport] */                        \
	X(PORT_DISABLED, PROBLEM)                                                                  \
	X(PORT_ENABLE, ADVICE) /* port */                                                          \
	X(PORT_CHILDREN, INFO) /* list of ports and memory devices */                              \
	X(PORT_NO_CHILD, INFO)                                                                     \
	X(ENDPOINT_NO_MEMDEV, PROBLEM)	/* memory device */                                        \
	X(DPORT_PLACE, INFO)		/* kind of port, port */                                   \
	X(DPORT_LEADS_NOWHERE, PROBLEM) /* decoder, port */                                        \
	X(PORT_RESCAN, ADVICE)                                                                     \
	X(DAX_RANGE, INFO)	    /* range, size, mode, [NUMA node], [region] */                 \
	X(DAX_REGION_DEVICES, INFO) /* [region], list of dax devices */                            \
	X(DAX_REGION_EMPTY, INFO)   /* [region] */                                                 \
	X(FUNCTION_NO_DRIVER, PROBLEM)                                                             \
	X(FUNCTION_BIND, ADVICE)	/* PCI function */                                         \
	X(FUNCTION_LOAD_DRIVER, ADVICE) /* PCI function */                                         \
	X(FUNCTION_OTHER_DRIVER, INFO)	/* driver */                                               \
	X(FUNCTION_NO_MEMDEV, PROBLEM)                                                             \
	X(FUNCTION_CHECK_KERNEL_LOG, ADVICE) /* PCI function */                                    \
                                                                                                   \
	/* Switches by their mailboxes, their ports, and the devices behind them. */               \
	X(SWITCH_MAILBOX, INFO)	      /* PCI function */                                           \
	X(SWITCH_RECORDED, INFO)      /* [what gave them] */                                       \
	X(SWITCH_UNREADABLE, PROBLEM) /* [why the mailbox cannot be used] */                       \
	X(SWITCH_NOTE, INFO)	      /* what the mailbox did not report */                        \
	X(SWITCH_PLACE, INFO)	      /* port of the host */                                       \
	X(SWITCH_NO_PLACE, INFO)                                                                   \
	X(SWITCH_COUNTS, INFO)	    /* ports, VCSs, bound vPPBs, vPPBs */                          \
	X(SWITCH_PORT_PLACE, INFO)  /* Id, [configuration], [function of the host] */              \
	X(SWITCH_PORT_LINK, INFO)   /* speed and lanes, [those that the port supports] */          \
	X(SWITCH_PORT_DEVICE, INFO) /* kind, [serial], [memory device] */                          \
	X(SWITCH_PORT_EMPTY, INFO)                                                                 \
	X(SWITCH_PORT_IN_RESET, PROBLEM)                                                           \
	X(SWITCH_PORT_POWER_OFF, PROBLEM)                                                          \
	X(SWITCH_PORT_LINK_DOWN, PROBLEM) /* state of the link */                                  \
	X(SWITCH_PORT_LINK_SLOW, PROBLEM) /* speed and lanes, those that both ends support */      \
	X(SWITCH_PORT_UNBOUND, PROBLEM)                                                            \
	X(SWITCH_BIND, ADVICE)                                                                     \
	X(MLD_MEMORY, INFO)	      /* LDs, size of the LDs, size of the device */               \
	X(MLD_UNALLOCATED, PROBLEM)   /* size, size of the device */                               \
	X(MLD_OVERALLOCATED, PROBLEM) /* size of the LDs, size of the device */                    \
	X(LD_SIZE, INFO)	      /* size */                                                   \
	X(LD_BANDWIDTH, INFO)	      /* allocated, limit, in 256ths */                            \
	X(LD_BOUND, INFO)	      /* vPPB, [memory device] */                                  \
	X(LD_UNBOUND, PROBLEM)                                                                     \
	X(VCS_STATE, INFO) /* [state], [upstream port], bound vPPBs, vPPBs */                      \
	X(VCS_OWN, INFO)                                                                           \
	X(VPPB_STATE, INFO) /* [binding], [what it is bound to], [function of the host] */         \
                                                                                                   \
	/* The path to firmware's PRM handler: service_health.h. */                                \
	X(FIRMWARE_READY, INFO)		     /* text of the state */                               \
	X(FIRMWARE_UNAVAILABLE, PROBLEM)     /* text of the state */                               \
	X(FIRMWARE_SLOW, PROBLEM)	     /* text of the state */                               \
	X(FIRMWARE_CALLS, INFO)		     /* rate, burst, calls, errors, throttled */           \
	X(FIRMWARE_ANSWER_REJECTED, PROBLEM) /* the first such answer */                           \
	X(FIRMWARE_ERROR, PROBLEM)	     /* devices, the first error */                        \
	X(FIRMWARE_ADVICE, ADVICE)	     /* what to do */                                      \
                                                                                                   \
	/* The recording of events, in the order of enum recording_fault: service_health.h. */     \
	X(EVENTS_NOT_RECORDED, PROBLEM)	   /* why */                                               \
	X(EVENTS_PARTLY_RECORDED, PROBLEM) /* why */                                               \
	X(EVENTS_LOST, PROBLEM)		   /* how many, and where */                               \
	X(EVENTS_NOT_STORED, PROBLEM)	   /* why */                                               \
	X(EVENT_STORE_REPLACED, PROBLEM)   /* which file, and why */                               \
	X(EVENT_LOG_FULL, PROBLEM)	   /* how many entries */                                  \
                                                                                                   \
	/* What the service depends on, in the order of enum service_fault: service_health.h. */   \
	X(HELPER_UNAVAILABLE, PROBLEM) /* why */                                                   \
	X(STATE_UNAVAILABLE, PROBLEM)  /* why */                                                   \
                                                                                                   \
	/* The health of a memory device: health.h. The states of the media are in the order of */ \
	/* enum mailbox_media, and a critical level follows its warning. */                        \
	X(DEVICE_NOT_ANSWERING, PROBLEM)                                                           \
	X(MEDIA_NOT_READY, PROBLEM)                                                                \
	X(WRITE_PERSISTENCY_LOST, PROBLEM)                                                         \
	X(ALL_DATA_LOST, PROBLEM)                                                                  \
	X(WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS, PROBLEM)                                           \
	X(WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN, PROBLEM)                                             \
	X(WRITE_PERSISTENCY_LOSS_IMMINENT, PROBLEM)                                                \
	X(ALL_DATA_LOSS_ON_POWER_LOSS, PROBLEM)                                                    \
	X(ALL_DATA_LOSS_ON_SHUTDOWN, PROBLEM)                                                      \
	X(ALL_DATA_LOSS_IMMINENT, PROBLEM)                                                         \
	/* These four have, when a log entry reports them: [its number], [its time]. */            \
	X(PERMANENT_CONDITION, PROBLEM)                                                            \
	X(MAINTENANCE_NEEDED, PROBLEM)                                                             \
	X(PERFORMANCE_DEGRADED, PROBLEM)                                                           \
	X(REPLACEMENT_NEEDED, PROBLEM)                                                             \
	X(CAPACITY_DEGRADED, PROBLEM)                                                              \
	X(LIFE_USED_WARNING, PROBLEM)                                                              \
	X(LIFE_USED_CRITICAL, PROBLEM)                                                             \
	X(TEMPERATURE_WARNING, PROBLEM)                                                            \
	X(TEMPERATURE_CRITICAL, PROBLEM)                                                           \
	X(CORRECTED_VOLATILE_ERRORS, PROBLEM)	/* [threshold] */                                  \
	X(CORRECTED_PERSISTENT_ERRORS, PROBLEM) /* [threshold] */                                  \
	X(UNRESOLVED_EVENTS, PROBLEM)		/* count, event type, [newest entry], [its time] */

#endif
