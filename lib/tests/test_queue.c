/* The queue: order, limits, the local share, and the ring's turn.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "penstock/queue.h"

static bool put(penstock_queue_t *queue, uint16_t seq, bool local)
{
    penstock_packet_t *packet = penstock_queue_reserve(queue, local);
    if (packet == NULL) {
        return false;
    }
    packet->seq = seq;
    penstock_queue_push(queue);
    return true;
}

static void test_order_over_many_turns(void)
{
    penstock_packet_t slots[3];
    penstock_queue_t queue;
    penstock_queue_init(&queue, slots, 3u, 3u);
    uint16_t in = 0u;
    uint16_t out = 0u;
    CHECK(penstock_queue_head(&queue) == NULL);
    for (int turn = 0; turn < 20; turn++) {
        CHECK(put(&queue, in++, false));
        CHECK(put(&queue, in++, turn % 2 == 0));
        while (penstock_queue_head(&queue) != NULL) {
            CHECK_EQ(penstock_queue_head(&queue)->seq, out++);
            penstock_queue_pop(&queue);
        }
        CHECK_EQ(queue.local_count, 0);
    }
    penstock_queue_pop(&queue); /* nothing happens */
    CHECK_EQ(queue.count, 0);
}

static void test_full(void)
{
    penstock_packet_t slots[3];
    penstock_queue_t queue;
    penstock_queue_init(&queue, slots, 3u, 3u);
    CHECK(put(&queue, 0u, false) && put(&queue, 1u, false) && put(&queue, 2u, false));
    CHECK(!put(&queue, 3u, false));
    CHECK_EQ(queue.count, 3);
    penstock_queue_pop(&queue);
    CHECK(put(&queue, 3u, false));
    CHECK_EQ(penstock_queue_head(&queue)->seq, 1);
}

static void test_local_share(void)
{
    penstock_packet_t slots[4];
    penstock_queue_t queue;
    penstock_queue_init(&queue, slots, 4u, 2u);
    CHECK(put(&queue, 0u, true));
    CHECK(put(&queue, 1u, true));
    CHECK(!put(&queue, 2u, true)); /* its share is used up, the queue is not */
    CHECK(put(&queue, 2u, false));
    CHECK_EQ(queue.local_count, 2);
    penstock_queue_pop(&queue); /* a local one leaves */
    CHECK_EQ(queue.local_count, 1);
    CHECK(put(&queue, 3u, true));
    CHECK(put(&queue, 4u, false));
    CHECK(!put(&queue, 5u, true)); /* full, whatever the share */
}

/* With the whole queue for local packets it is a plain FIFO: who came first goes first, whose it may be, and
 * one's own packet is refused when, and only when, another's would be. */
static void test_plain_fifo(void)
{
    penstock_packet_t slots[5];
    penstock_queue_t queue;
    penstock_queue_init(&queue, slots, 5u, 5u);
    uint32_t dice = 12345u;
    uint16_t in = 0u;
    uint16_t out = 0u;
    for (int i = 0; i < 2000; i++) {
        dice = dice * 1664525u + 1013904223u;
        bool local = (dice >> 24 & 1u) != 0u;
        if ((dice >> 20 & 3u) != 0u) {
            bool full = queue.count == queue.capacity;
            CHECK(put(&queue, in, local) == !full);
            in = (uint16_t)(in + !full);
        } else if (penstock_queue_head(&queue) != NULL) {
            CHECK_EQ(penstock_queue_head(&queue)->seq, out++);
            penstock_queue_pop(&queue);
        }
    }
    CHECK(out > 400);
}

int main(void)
{
    test_order_over_many_turns();
    test_full();
    test_local_share();
    test_plain_fifo();
    return check_result();
}
