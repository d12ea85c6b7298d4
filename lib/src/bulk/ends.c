/* The two ends of a bulk transfer.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"

bool penstock_bulk_ends_config_works(const penstock_config_t *config)
{
    (void)config;
    return true;
}

void penstock_bulk_ends_init(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->config->bulk->ends.flood_number = 0u;
}

void penstock_bulk_ends_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops, const uint8_t *pdu,
                                uint8_t len, penstock_time_t now)
{
    (void)node;
    (void)origin;
    (void)hops;
    (void)pdu;
    (void)len;
    (void)now;
}

void penstock_bulk_ends_flood(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    (void)node;
    (void)frame;
    (void)now;
}

bool penstock_bulk_ends_wants_flood(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    return false;
}

void penstock_bulk_ends_write_flood(penstock_node_t *node, penstock_frame_t *frame, penstock_time_t now)
{
    (void)node;
    (void)frame;
    (void)now;
}

void penstock_bulk_ends_flood_sent(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    (void)node;
    (void)report;
    (void)now;
}

void penstock_bulk_ends_packet_left(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
}

bool penstock_bulk_ends_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    (void)at;
    return false;
}

void penstock_bulk_ends_tick(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
}
