/* What a config may say. All of it is checked once, so that nothing needs to be checked
 * again for every packet: divisors are not 0, and no time-out exceeds a quarter of the
 * range of the clock.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "beacon.h"
#include "bulk/ops.h"
#include "control/compose.h"
#include "control/wrcp_rate.h"
#include "frame.h"
#include "node.h"
#include "routing.h"

#define LONGEST_TIMEOUT (UINT32_C(1) << 30)
#define HIGHEST_HOP_LIMIT 254u
#define LARGEST_SHIFT 7u

static bool frame_fits(const penstock_config_t *config)
{
    /* One byte of payload; and a beacon that tells of one link. */
    const uint8_t shortest = PENSTOCK_BEACON_OVERHEAD + PENSTOCK_BEACON_FIXED_LEN + PENSTOCK_BEACON_ENTRY_LEN;
    return config->max_frame_len >= shortest && config->max_frame_len <= PENSTOCK_FRAME_MAX;
}

static bool queue_works(const penstock_config_t *config)
{
    return config->queue != NULL && config->queue_capacity >= 1u && config->local_share >= 1u &&
           config->local_share <= config->queue_capacity;
}

static bool link_works(const penstock_config_t *config)
{
    bool attempts_fit = config->link_attempts == 0u || config->mac_attempts <= config->link_attempts;
    if (config->mac_attempts < 1u || !attempts_fit || config->hop_limit < 1u || config->hop_limit > HIGHEST_HOP_LIMIT ||
        config->packet_time_us < 1u) {
        return false;
    }
    /* The longest derived time-out (news_overheard.c) is their product. */
    uint32_t transmissions = (uint32_t)config->queue_capacity * penstock_attempts_expected(config);
    return config->packet_time_us <= LONGEST_TIMEOUT / transmissions;
}

static bool tree_works(const penstock_config_t *config)
{
    return config->neighbors != NULL && config->neighbor_capacity >= 1u &&
           penstock_routing_of(config)->config_works(config);
}

/* A part without its numbers would stop the node for good, so they are asked for even where
 * the strategy has no such part: whoever forgot penstock_control_defaults learns it here. */
static bool params_given(const penstock_control_params_t *params)
{
    return params->channel_epochs >= 1u && params->channel_samples >= 1u && params->channel_epoch_us >= 1u &&
           params->loss_ewma_q8 >= 1u && params->loss_threshold_q8 >= 1u && params->loss_age_us >= 1u &&
           params->rate_tokens >= 1u && params->rate_window_us >= 1u && params->share_tokens >= 1u &&
           params->share_target_q8 >= 1u;
}

/* Capacities that are there; a share, a weight and a rate that wrcp_rate.c can reckon with. */
static bool wrcp_works(const penstock_wrcp_params_t *params)
{
    bool numbers = params->alpha_q15 >= 1u && params->alpha_q15 <= PENSTOCK_WRCP_ALPHA_ONE && params->beta_q8 >= 1u &&
                   params->start_rate >= PENSTOCK_WRCP_RATE_MIN && params->start_rate <= PENSTOCK_WRCP_RATE_MAX;
    if (!numbers || params->capacity == NULL || params->capacity_len == 0u) {
        return false;
    }
    for (uint8_t i = 0u; i < params->capacity_len; i++) {
        if (params->capacity[i] == 0u) {
            return false;
        }
    }
    return true;
}

static bool control_works(const penstock_config_t *config)
{
    const penstock_control_params_t *params = &config->control_params;
    return config->control != NULL && config->control->parts != NULL && params_given(params) &&
           params->channel_epoch_us <= LONGEST_TIMEOUT && params->stop_timeout_us <= LONGEST_TIMEOUT &&
           params->ack_stop_us <= LONGEST_TIMEOUT && params->loss_age_us <= LONGEST_TIMEOUT &&
           params->parent_delay_us <= LONGEST_TIMEOUT && params->rate_window_us <= LONGEST_TIMEOUT &&
           params->priority_shift <= LARGEST_SHIFT && wrcp_works(&params->wrcp);
}

/* Room for the parent and for one more. */
static bool peers_fit(const penstock_config_t *config)
{
    return !penstock_strategy_needs_peers(config->control) || (config->peers != NULL && config->peer_capacity >= 2u);
}

/* The strategy's fields leave room for a byte of payload. */
static bool fields_fit(const penstock_config_t *config)
{
    if (!penstock_control_fields_valid(config->control)) {
        return false;
    }
    uint8_t fields = penstock_control_fields_len(config->control);
    return fields == 0u || penstock_data_headers(config) + 1u + fields < config->max_frame_len;
}

/* None, or one that is complete. */
static bool bulk_works(const penstock_config_t *config)
{
    return config->bulk == NULL || (config->bulk_ops != NULL && config->bulk_ops->config_works(config));
}

int penstock_config_check(const penstock_config_t *config)
{
    if (config == NULL || config->address == PENSTOCK_ADDR_NONE || config->address == PENSTOCK_ADDR_BROADCAST) {
        return PENSTOCK_INVALID;
    }
    if (!frame_fits(config) || !queue_works(config) || !link_works(config) || !tree_works(config) ||
        !control_works(config) || !fields_fit(config) || !peers_fit(config) || !penstock_control_accepts(config) ||
        !bulk_works(config)) {
        return PENSTOCK_INVALID;
    }
    return PENSTOCK_OK;
}
