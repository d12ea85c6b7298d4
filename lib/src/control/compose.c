/* A strategy's answer is that of all its parts together.
 *
 * The parts do not know of each other. What they share is the node: its queue, its
 * parent, and whether any of them calls it congested (penstock_congested). So queue
 * occupancy can drive backpressure, or channel sampling can, as in thesis Table 5.1,
 * and neither is written for the other.
 *
 * Fields in data frames are the exception: one part may have them. Two would have to know
 * where the other's end, and no system in sight needs that.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/compose.h"

#include "deadline.h"

/* Runs the statement for every part of the strategy, as `part`; and of the node's. */
#define FOR_EACH_PART_OF(strategy)                                                                                     \
    for (const penstock_part_t *const *each = (strategy)->parts, *part; (part = *each) != NULL; each++)
#define FOR_EACH_PART(node) FOR_EACH_PART_OF((node)->config->control)

void penstock_control_init(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->init != NULL) {
            part->init(node, now);
        }
    }
}

void penstock_control_forget(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->forget != NULL) {
            part->forget(node, now);
        } else if (part->init != NULL) {
            part->init(node, now);
        }
    }
}

void penstock_control_received(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->received != NULL) {
            part->received(node, frame, now);
        }
    }
}

void penstock_control_overheard(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->overheard != NULL) {
            part->overheard(node, frame, now);
        }
    }
}

void penstock_control_repeated(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->repeated != NULL) {
            part->repeated(node, frame, now);
        }
    }
}

void penstock_control_queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->queued != NULL) {
            part->queued(node, packet, now);
        }
    }
}

void penstock_control_transmitting(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->transmitting != NULL) {
            part->transmitting(node, packet, now);
        }
    }
}

void penstock_control_sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->sent != NULL) {
            part->sent(node, packet, now);
        }
    }
}

void penstock_control_failed(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->failed != NULL) {
            part->failed(node, packet, now);
        }
    }
}

void penstock_control_acked(penstock_node_t *node, bool congested, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->acked != NULL) {
            part->acked(node, congested, now);
        }
    }
}

void penstock_control_channel_sample(penstock_node_t *node, bool busy, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->channel != NULL) {
            part->channel(node, busy, now);
        }
    }
}

void penstock_control_tick(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->tick != NULL) {
            part->tick(node, now);
        }
    }
}

void penstock_control_admitted(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->admitted != NULL) {
            part->admitted(node, now);
        }
    }
}

void penstock_control_refused(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->refused != NULL) {
            part->refused(node, now);
        }
    }
}

bool penstock_control_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    bool any = false;
    FOR_EACH_PART(node)
    {
        penstock_time_t moment;
        if (part->deadline != NULL && part->deadline(node, now, &moment)) {
            penstock_sooner(&any, at, moment);
        }
    }
    return any;
}

bool penstock_control_congested(const penstock_node_t *node)
{
    FOR_EACH_PART(node)
    {
        if (part->congested != NULL && part->congested(node)) {
            return true;
        }
    }
    return false;
}

bool penstock_control_may_transmit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    bool all = true;
    FOR_EACH_PART(node)
    {
        penstock_time_t moment = now;
        if (part->may_transmit != NULL && !part->may_transmit(node, now, &moment)) {
            *at = all ? moment : penstock_time_later(*at, moment);
            all = false;
        }
    }
    return all;
}

bool penstock_control_may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    bool all = true;
    FOR_EACH_PART(node)
    {
        penstock_time_t moment = now;
        if (part->may_admit != NULL && !part->may_admit(node, now, &moment)) {
            *at = all ? moment : penstock_time_later(*at, moment);
            all = false;
        }
    }
    return all;
}

uint8_t penstock_control_backoff_shift(const penstock_node_t *node)
{
    uint8_t largest = 0u;
    FOR_EACH_PART(node)
    {
        uint8_t shift = part->backoff_shift != NULL ? part->backoff_shift(node) : 0u;
        if (shift > largest) {
            largest = shift;
        }
    }
    return largest;
}

bool penstock_control_wants_channel_sample(const penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->wants_channel_sample != NULL && part->wants_channel_sample(node, now)) {
            return true;
        }
    }
    return false;
}

uint32_t penstock_control_allowed_rate(const penstock_node_t *node)
{
    uint32_t smallest = PENSTOCK_PPS_UNLIMITED;
    FOR_EACH_PART(node)
    {
        uint32_t rate = part->rate != NULL ? part->rate(node) : PENSTOCK_PPS_UNLIMITED;
        smallest = rate < smallest ? rate : smallest;
    }
    return smallest;
}

bool penstock_control_wants_frame(const penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->wants_frame != NULL && part->wants_frame(node, now)) {
            return true;
        }
    }
    return false;
}

void penstock_control_frame_sent(penstock_node_t *node, penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->frame_sent != NULL) {
            part->frame_sent(node, now);
        }
    }
}

bool penstock_strategy_needs_peers(const penstock_strategy_t *strategy)
{
    FOR_EACH_PART_OF(strategy)
    {
        if (part->needs_peers) {
            return true;
        }
    }
    return false;
}

bool penstock_control_mark(penstock_node_t *node, const penstock_frame_t *frame)
{
    bool any = false;
    FOR_EACH_PART(node)
    {
        if (part->mark != NULL && part->mark(node, frame)) {
            any = true;
        }
    }
    return any;
}

bool penstock_control_accepts(const penstock_config_t *config)
{
    FOR_EACH_PART_OF(config->control)
    {
        if (part->accepts != NULL && !part->accepts(config)) {
            return false;
        }
    }
    return true;
}

bool penstock_control_fields_valid(const penstock_strategy_t *strategy)
{
    uint8_t with_fields = 0u;
    FOR_EACH_PART_OF(strategy)
    {
        if (part->fields_len > PENSTOCK_CONTROL_FIELDS_MAX || (part->fields_len > 0u) != (part->write_fields != NULL)) {
            return false;
        }
        if (part->fields_len > 0u) {
            with_fields++;
        } else if (part->wants_frame != NULL) {
            return false; /* there would be nothing in its control frames */
        }
    }
    return with_fields <= 1u;
}

uint8_t penstock_control_fields_len(const penstock_strategy_t *strategy)
{
    FOR_EACH_PART_OF(strategy)
    {
        if (part->fields_len > 0u) {
            return part->fields_len;
        }
    }
    return 0u;
}

void penstock_control_write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes,
                                   penstock_time_t now)
{
    FOR_EACH_PART(node)
    {
        if (part->write_fields != NULL) {
            part->write_fields(node, packet, bytes, now);
        }
    }
}
