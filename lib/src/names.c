/* Names of errors and drop reasons, as tables print them. A mote that prints nothing
 * does not call these, and does not link them.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/types.h"

const char *penstock_drop_name(penstock_drop_t reason)
{
    switch (reason) {
    case PENSTOCK_DROP_NONE:
        return "none";
    case PENSTOCK_DROP_REFUSED:
        return "refused";
    case PENSTOCK_DROP_QUEUE_FULL:
        return "queue_full";
    case PENSTOCK_DROP_ACKED_THEN_DROPPED:
        return "acked_then_dropped";
    case PENSTOCK_DROP_ATTEMPTS_EXHAUSTED:
        return "attempts_exhausted";
    case PENSTOCK_DROP_NO_ROUTE:
        return "no_route";
    case PENSTOCK_DROP_HOP_LIMIT:
        return "hop_limit";
    case PENSTOCK_DROP_NODE_DOWN:
        return "node_down";
    case PENSTOCK_DROP_COUNT:
        break;
    }
    return "?";
}

const char *penstock_error_name(int error)
{
    switch (error) {
    case PENSTOCK_OK:
        return "ok";
    case PENSTOCK_WOULD_BLOCK:
        return "would_block";
    case PENSTOCK_MALFORMED:
        return "malformed";
    case PENSTOCK_UNSUPPORTED:
        return "unsupported";
    case PENSTOCK_TOO_LONG:
        return "too_long";
    case PENSTOCK_INVALID:
        return "invalid";
    default:
        return "?";
    }
}
