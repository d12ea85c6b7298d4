/* Penstock: reliable bulk transfer from a node to the root (Flush, SenSys 2007).
 *
 * A node takes part when its config names a `bulk`, and with it the rest:
 *
 *     config.bulk = &bulk;                     state, caller's
 *     config.bulk_ops = &penstock_bulk_flush;  the code: a mote that never names it does not link it
 *     config.bulk_params = &params;            penstock_bulk_defaults(), may be shared by nodes
 *     config.bulk_queue, bulk_queue_capacity   packets on their way (16 in the paper, section 3.4)
 *     config.bulk_flows, bulk_flow_capacity    one for each origin whose packets come through at a time
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_BULK_H
#define PENSTOCK_BULK_H

#include "penstock/bulk_ends.h"
#include "penstock/bulk_path.h"
#include "penstock/penstock.h"

#ifdef __cplusplus
extern "C" {
#endif

struct penstock_bulk_params {
    penstock_bulk_path_params_t path;
    penstock_bulk_ends_params_t ends;
};

struct penstock_bulk {
    penstock_bulk_path_t path;
    penstock_bulk_ends_t ends;
};

/* Flush's code. */
extern const penstock_bulk_ops_t penstock_bulk_flush;

/* The paper's numbers; those that it does not name have their reason beside them in lib/src/bulk/flush.c. */
penstock_bulk_params_t penstock_bulk_defaults(void);

/* For MACs that can ask before they acknowledge: is there room for one more bulk packet to forward?
 * (penstock_can_accept speaks of sensor packets.) False on a node without bulk. */
bool penstock_bulk_can_accept(const penstock_node_t *node);

/* ---- For those who watch ---- */

/* The flow of one origin's packets through this node. False, and all 0 but the queue, where there is none;
 * on a node without bulk all is 0. */
bool penstock_bulk_path_state(const penstock_node_t *node, penstock_addr_t origin, penstock_bulk_path_state_t *state);
/* What happened here, or NULL on a node without bulk. */
const penstock_bulk_path_counters_t *penstock_bulk_path_counters(const penstock_node_t *node);

#ifdef __cplusplus
}
#endif
#endif
