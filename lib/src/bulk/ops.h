/* Penstock: what a node asks of bulk transfer. Everything goes through this table, so that a mote
 * whose config names none does not link the code behind it.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_OPS_H
#define PENSTOCK_SRC_BULK_OPS_H

#include "frame.h"
#include "penstock/penstock.h"

struct penstock_bulk_ops {
    bool (*config_works)(const penstock_config_t *config);
    void (*init)(penstock_node_t *node, penstock_time_t now);
    /* A BULK or FLOOD frame, for this node or overheard. */
    void (*heard)(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                  penstock_time_t now);
    /* Is the next frame one of bulk transfer's? `data_ready`: sensor data could go now. */
    bool (*claims)(penstock_node_t *node, bool data_ready, penstock_time_t now);
    /* Sensor data went to the MAC. */
    void (*yielded)(penstock_node_t *node);
    /* After claims() said so: writes the frame; 1 or PENSTOCK_TOO_LONG. */
    int (*transmit)(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity, penstock_time_t now);
    /* The MAC is done with it. */
    void (*transmitted)(penstock_node_t *node, uint8_t in_flight, const penstock_tx_report_t *report,
                        penstock_time_t now);
    bool (*deadline)(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
    void (*tick)(penstock_node_t *node, penstock_time_t now);
};

/* The table of a node that takes part in bulk transfers, or NULL. */
static inline const penstock_bulk_ops_t *penstock_bulk_of(const penstock_config_t *config)
{
    return config->bulk != NULL ? config->bulk_ops : NULL;
}

#endif
