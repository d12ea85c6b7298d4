// What a node's processor does with received frames, where that takes time (CsmaRules::receive_processing).
//
// After TinyOS 2's CC2420ReceiveP, which has one frame in hand at a time:
//
//   idle -> reading the header -> reading the rest -> waiting for the processor -> handed up, and idle again
//                                                                        \-> worked on ->/  (unless it reads ahead)
//
// Reading goes by interrupts, which delay whatever else the processor is doing; handing up is a task, for which earlier
// work must be over. Each frame handed up is so much further work. The next frame is read from the chip's buffer as
// soon as this one has been handed up (`reads_ahead`, as TinyOS is written: what software above the driver does, it
// does in tasks of its own), or when the work for it is done (if all the work were part of handing up).
//
// It reads every frame that the chip has, addressed to it or not, since nodes listen to all that is on air. When the
// header (length and 7 bytes) shows a frame for this node that wants it, it orders the acknowledgement, and the chip
// turns around and sends it, if it is not just sending; a frame that is coming in is lost then. So a frame that waits
// in the buffer is acknowledged late, maybe after its sender has given up on it and will repeat it. An acknowledgement
// costs no more than reading it, and tells its sender what it waited for, if that still waits; it, too, may come too
// late because it was behind other frames.
//
// What the data sheet leaves open: the chip takes the sequence number of an acknowledgement "from the incoming frame".
// Here that is the frame being read, also when others have come in after it.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"

#include <algorithm>

namespace penstock {

void Csma::keep(Node node, Node sender, Signal kind)
{
    if (macs_[node].off) {
        return; // it is powered down as soon as the frame in hand is done
    }
    const int frame_bytes = kind == Signal::Ack ? radio_.ack_bytes : macs_[sender].out.len + FCS_BYTES;
    Processor &processor = processors_[node];
    if (!processor.buffer.put(received(node, sender, kind), macs_[sender].out.bytes, frame_bytes,
                              now_ - radio_.bytes(frame_bytes))) {
        ++processor.lost;
    }
    read_next(node);
}

// Begins with the next frame, if none is in hand and there is one.
void Csma::read_next(Node node)
{
    Processor &processor = processors_[node];
    if (processor.step != Processor::Step::Idle) {
        return;
    }
    if (processor.buffer.empty()) {
        if (processor.buffer.overflowed()) {
            processor.buffer.flush(now_);
        }
        return;
    }
    processor.frame = processor.buffer.take(processor.bytes.data());
    const ReceivedFrame &frame = processor.frame;
    const bool is_ack = frame.kind == Signal::Ack;
    processor.read_at = now_ + (is_ack ? rules_.ack_handling : rules_.read_byte * (1 + frame.len + FCS_BYTES));
    if (processor.busy_until != NEVER) {
        processor.busy_until += processor.read_at - now_; // interrupts take their time from tasks
    }
    if (frame.wants_ack && frame.to == node) {
        processor.step = Processor::Step::ReadingHeader;
        processor.step_until = now_ + rules_.header_reading;
    } else {
        processor.step = Processor::Step::Reading;
        processor.step_until = processor.read_at;
    }
    set_processor_timer(node);
}

void Csma::set_processor_timer(Node node)
{
    const Processor &processor = processors_[node];
    const Time next = std::min(processor.step_until, processor.busy_until);
    if (next == NEVER) {
        events_.clear(processor_slot(node));
    } else {
        events_.set(processor_slot(node), next);
    }
}

void Csma::on_processor_timer(Node node, Time now)
{
    Processor &processor = processors_[node];
    if (processor.busy_until <= now) {
        processor.busy_until = NEVER;
        if (processor.step == Processor::Step::Working) {
            frame_is_done(node);
        }
    }
    if (processor.step_until <= now) {
        step_ended(node);
    }
    if (processor.step == Processor::Step::Read && processor.busy_until == NEVER) {
        work_on(node);
    }
    set_processor_timer(node);
}

void Csma::step_ended(Node node)
{
    Processor &processor = processors_[node];
    const ReceivedFrame frame = processor.frame;
    if (processor.step == Processor::Step::ReadingHeader) {
        processor.step = Processor::Step::Reading;
        processor.step_until = processor.read_at;
        order_ack(node, frame);
        return;
    }
    processor.step_until = NEVER;
    if (frame.kind != Signal::Ack) {
        processor.step = Processor::Step::Read;
        return;
    }
    processor.step = Processor::Step::Idle;
    if (macs_[node].state == State::AwaitingAck && frame.to == node && frame.attempt == macs_[node].attempt) {
        events_.clear(mac_slot(node));
        conclude(node, Outcome::Done, frame.congested, now_);
    }
    frame_is_done(node);
}

// The frame is handed up, and the processor is busy with it.
void Csma::work_on(Node node)
{
    Processor &processor = processors_[node];
    const ReceivedFrame &frame = processor.frame;
    const bool for_us = frame.to == node || frame.to == NOBODY;
    const Time work = (for_us ? rules_.receive_processing : rules_.overhear_processing) -
                      rules_.read_byte * (1 + frame.len + FCS_BYTES);
    if (work > 0) {
        processor.busy_until = now_ + work;
    }
    const bool done = work <= 0 || rules_.reads_ahead;
    processor.step = done ? Processor::Step::Idle : Processor::Step::Working;
    hand_up(node, frame, processor.bytes.data(), frame.wants_ack && frame.to == node);
    if (done) {
        frame_is_done(node);
    }
}

// Nothing is in hand any more.
void Csma::frame_is_done(Node node)
{
    Processor &processor = processors_[node];
    processor.step = Processor::Step::Idle;
    if (macs_[node].off) {
        processor.buffer.flush(now_);
    }
    read_next(node);
    rest(node, now_);
}

std::uint32_t Csma::mark_in_hand(Node node, std::uint32_t none) const
{
    if (processors_.empty()) {
        return none;
    }
    const Processor &processor = processors_[node];
    const bool held = processor.step == Processor::Step::Reading || processor.step == Processor::Step::Read;
    return held && processor.frame.kind == Signal::Data && processor.frame.to == node ? processor.frame.mark : none;
}

void Csma::order_ack(Node node, const ReceivedFrame &frame)
{
    const RadioState state = medium_->state(node);
    if (state == RadioState::Idle || state == RadioState::Acquiring || state == RadioState::Receiving) {
        begin_ack(node, frame.from, frame.attempt, radio_.turnaround);
    }
}

} // namespace penstock
