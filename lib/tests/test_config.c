/* What penstock_init refuses.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

static one_node_t bench;

static penstock_config_t *fresh(void)
{
    one_node_prepare(&bench, &penstock_control_fusion);
    return &bench.config;
}

/* Is the config, with one statement applied to it, accepted? */
#define ACCEPTED(change) (config = fresh(), (void)(change), penstock_init(&bench.node, config, 0u) == PENSTOCK_OK)

int main(void)
{
    penstock_config_t *config;
    CHECK(ACCEPTED(0));
    CHECK(!ACCEPTED(config->address = PENSTOCK_ADDR_BROADCAST));
    CHECK(!ACCEPTED(config->address = PENSTOCK_ADDR_NONE));
    CHECK(!ACCEPTED(config->max_frame_len = 23u));
    CHECK(ACCEPTED(config->max_frame_len = 24u));
    CHECK(ACCEPTED(config->max_frame_len = 125u));
    CHECK(!ACCEPTED(config->max_frame_len = 126u));
    CHECK(!ACCEPTED(config->packet_time_us = 0u));
    CHECK(!ACCEPTED(config->packet_time_us = UINT32_C(0x40000000)));
    CHECK(!ACCEPTED(config->queue = NULL));
    CHECK(!ACCEPTED(config->queue_capacity = 0u));
    CHECK(!ACCEPTED(config->local_share = 0u));
    CHECK(!ACCEPTED(config->local_share = QUEUE + 1u));
    CHECK(ACCEPTED(config->local_share = QUEUE));
    CHECK(ACCEPTED(config->link_attempts = 0u)); /* not limited */
    CHECK(!ACCEPTED(config->mac_attempts = 0u));
    CHECK(!ACCEPTED(config->mac_attempts = ATTEMPTS + 1u));
    CHECK(!ACCEPTED(config->hop_limit = 0u));
    CHECK(!ACCEPTED(config->hop_limit = 255u));
    CHECK(!ACCEPTED(config->neighbors = NULL));
    CHECK(!ACCEPTED(config->neighbor_capacity = 0u));
    CHECK(!ACCEPTED(config->beacon_period_us = 0u));
    CHECK(ACCEPTED(config->beacon_period_us = UINT32_C(1) << 27));
    CHECK(!ACCEPTED(config->beacon_period_us = (UINT32_C(1) << 27) + 1u));
    CHECK(!ACCEPTED(config->control = NULL));
    CHECK(!ACCEPTED(config->control_params = (penstock_control_params_t){0})); /* the defaults were forgotten */
    CHECK(!ACCEPTED(config->control_params.rate_tokens = 0u));
    CHECK(!ACCEPTED(config->control_params.rate_window_us = 0u));
    CHECK(!ACCEPTED(config->control_params.share_tokens = 0u));
    CHECK(!ACCEPTED(config->control_params.share_target_q8 = 0u));
    CHECK(!ACCEPTED(config->control_params.channel_epochs = 0u));
    CHECK(!ACCEPTED(config->control_params.channel_samples = 0u));
    CHECK(!ACCEPTED(config->control_params.channel_epoch_us = 0u));
    CHECK(!ACCEPTED(config->control_params.loss_ewma_q8 = 0u));
    CHECK(!ACCEPTED(config->control_params.loss_threshold_q8 = 0u));
    CHECK(!ACCEPTED(config->control_params.loss_age_us = 0u));
    CHECK(!ACCEPTED(config->control_params.loss_age_us = UINT32_C(0x40000001)));
    CHECK(ACCEPTED(config->control_params.ack_stop_us = UINT32_C(0x40000000)));
    CHECK(!ACCEPTED(config->control_params.ack_stop_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(config->control_params.parent_delay_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(config->control_params.stop_timeout_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(config->control_params.rate_window_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(config->control_params.channel_epoch_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(config->control_params.priority_shift = 8u));
    static const uint16_t with_zero[] = {64u, 0u};
    CHECK(ACCEPTED(config->control_params.wrcp.alpha_q15 = PENSTOCK_WRCP_ALPHA_ONE));
    CHECK(!ACCEPTED(config->control_params.wrcp.alpha_q15 = 0u));
    CHECK(!ACCEPTED(config->control_params.wrcp.alpha_q15 = PENSTOCK_WRCP_ALPHA_ONE + 1u));
    CHECK(!ACCEPTED(config->control_params.wrcp.beta_q8 = 0u));
    CHECK(ACCEPTED(config->control_params.wrcp.start_rate = 64u));
    CHECK(!ACCEPTED(config->control_params.wrcp.start_rate = 63u));
    CHECK(!ACCEPTED(config->control_params.wrcp.start_rate = UINT32_C(1) << 24));
    CHECK(!ACCEPTED(config->control_params.wrcp.capacity = NULL));
    CHECK(!ACCEPTED(config->control_params.wrcp.capacity_len = 0u));
    CHECK(
        !ACCEPTED(((config->control_params.wrcp.capacity = with_zero), config->control_params.wrcp.capacity_len = 2u)));
    CHECK_EQ(penstock_init(&bench.node, NULL, 0u), PENSTOCK_INVALID);
    return check_result();
}
