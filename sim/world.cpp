// SPDX-License-Identifier: BSD-3-Clause
#include "world.hpp"

#include "csma.hpp"
#include "event_queue.hpp"
#include "interference.hpp"
#include "low_power_listening.hpp"
#include "medium.hpp"
#include "motes.hpp"
#include "radio_profile.hpp"

#include <optional>

namespace penstock {

namespace {

// Timers, by kind and then by node; then those that there is one of; then one for each source of interference.
enum TimerKind : std::uint32_t { MEDIUM, MAC, SQUELCH, PROCESSOR, LISTENING, DEADLINE, APPLICATION, TIMER_KINDS };
enum SingleTimer : std::uint32_t { FAULT, TRANSFER, MEASURE, SAMPLE, SINGLE_TIMERS };

// The radio, with what a scenario may change about it.
RadioProfile profile(const WorldSpec &spec)
{
    RadioProfile radio = *radio_profile(spec.radio);
    radio.cca_samples = spec.cca_samples;
    radio.rssi_noise_sd_db = spec.noise_reading_sd_db;
    return radio;
}

class World {
public:
    explicit World(const WorldSpec &spec)
        : spec_(spec),
          radio_(profile(spec)),
          count_(spec.node_count),
          channel_(spec),
          events_(std::size_t{TIMER_KINDS} * count_ + SINGLE_TIMERS + spec.interferers.size()),
          mac_(spec, radio_, channel_, events_, MAC * count_, motes()),
          medium_(spec, channel_, radio_, events_, MEDIUM * count_, mac_),
          interference_(spec, channel_, events_, single(SINGLE_TIMERS), medium_),
          motes_(spec, radio_, mac_, events_, DEADLINE * count_, records_)
    {
        mac_.attach(medium_);
        if (spec.check_interval_s > 0) {
            listening_.emplace(spec, radio_, events_, LISTENING * count_, mac_, medium_);
        }
    }

    Records run(const std::atomic<bool> &cancel, Watch *watch)
    {
        constexpr std::uint64_t CHECK_EVERY = 4096;
        const Time measure_at = seconds(spec_.settle_s);
        Time end = seconds(spec_.settle_s + spec_.measure_s);
        mac_.start(0);
        if (listening_) {
            listening_->start(0);
        }
        interference_.start();
        motes_.start(0);
        events_.set(single(MEASURE), measure_at);
        if (spec_.sample_s > 0) {
            events_.set(single(SAMPLE), measure_at);
        }
        while (events_.next_time() < end) {
            const Time now = events_.next_time();
            if (++processed_ % CHECK_EVERY == 0) {
                if (cancel.load(std::memory_order_relaxed)) {
                    throw Cancelled();
                }
                tell(watch, now);
            }
            dispatch(events_.pop(), now);
            if (motes_.transfers_over()) {
                end = now; // nothing more is asked for
            }
        }
        finish(measure_at, end);
        return std::move(records_);
    }

private:
    // The members need each other: the MAC serves motes that are built after it.
    Motes &motes() { return motes_; }

    [[nodiscard]] EventQueue::Slot single(std::uint32_t timer) const { return TIMER_KINDS * count_ + timer; }

    void dispatch(EventQueue::Slot slot, Time now)
    {
        mac_.set_now(now);
        if (slot < MAC * count_) {
            medium_.on_event(slot, now);
        } else if (slot < SQUELCH * count_) {
            mac_.on_mac_timer(slot - MAC * count_, now);
        } else if (slot < PROCESSOR * count_) {
            mac_.on_squelch_timer(slot - SQUELCH * count_, now);
        } else if (slot < LISTENING * count_) {
            mac_.on_processor_timer(slot - PROCESSOR * count_, now);
        } else if (slot < DEADLINE * count_) {
            listening_->on_timer(slot - LISTENING * count_, now);
        } else if (slot < APPLICATION * count_) {
            motes_.on_deadline(slot - DEADLINE * count_, now);
        } else if (slot < TIMER_KINDS * count_) {
            motes_.on_application(slot - APPLICATION * count_, now);
        } else if (slot == single(FAULT)) {
            motes_.on_fault(now);
        } else if (slot == single(TRANSFER)) {
            motes_.on_transfer(now);
        } else if (slot == single(MEASURE)) {
            motes_.begin_measuring(now);
            medium_.reset_statistics(now);
            mac_.reset_statistics();
            interference_.reset_statistics();
        } else if (slot >= single(SINGLE_TIMERS)) {
            interference_.on_timer(slot - single(SINGLE_TIMERS), now);
        } else {
            motes_.sample(now);
            events_.set(slot, now + seconds(spec_.sample_s));
        }
    }

    void tell(Watch *watch, Time now) const
    {
        if (watch == nullptr) {
            return;
        }
        watch->time.store(now, std::memory_order_relaxed);
        if (const TransferRecord *transfer = motes_.transfer()) {
            watch->arrived.store(transfer->arrived, std::memory_order_relaxed);
            watch->packets.store(transfer->packets, std::memory_order_relaxed);
        }
    }

    void finish(Time measure_at, Time end)
    {
        motes_.finish();
        mac_.finish(end);
        for (Node node = 0; node < count_; ++node) {
            NodeRecord &record = records_.nodes[node];
            const Medium::AirTime air = medium_.air_time(node, end);
            const double total_s = to_seconds(end - measure_at);
            record.cca_busy = mac_.busy_count(node);
            record.rx_overflows = mac_.overflow_count(node);
            record.time_tx_s = to_seconds(air.transmitting);
            record.time_rx_s = to_seconds(air.receiving());
            record.time_startup_s = to_seconds(air.in(RadioState::StartingUp));
            record.time_sleep_s = to_seconds(air.in(RadioState::Asleep));
            record.time_idle_s =
                total_s - record.time_tx_s - record.time_rx_s - record.time_startup_s - record.time_sleep_s;
            const double watts_per_ma = radio_.supply_volts * 1e-3;
            record.energy_tx_j = watts_per_ma * radio_.transmit_ma(spec_.tx_power_dbm) * record.time_tx_s;
            record.energy_rx_j = watts_per_ma * radio_.receive_ma * record.time_rx_s;
            record.energy_idle_j = watts_per_ma * radio_.receive_ma * record.time_idle_s;
            record.energy_startup_j = watts_per_ma * radio_.startup_ma * record.time_startup_s;
            record.energy_sleep_j = watts_per_ma * radio_.sleep_ma * record.time_sleep_s;
            record.energy_j = record.energy_tx_j + record.energy_rx_j + record.energy_idle_j + record.energy_startup_j +
                              record.energy_sleep_j;
        }
        const Medium::Totals &totals = medium_.totals();
        records_.totals.events = processed_;
        records_.totals.frames_data = totals.frames[static_cast<int>(Signal::Data)];
        records_.totals.frames_beacon = totals.frames[static_cast<int>(Signal::Beacon)];
        records_.totals.frames_ack = totals.frames[static_cast<int>(Signal::Ack)];
        records_.totals.frames_bulk = totals.frames[static_cast<int>(Signal::Bulk)];
        records_.totals.frames_flood = totals.frames[static_cast<int>(Signal::Flood)];
        records_.totals.measured = end - measure_at;
        records_.totals.receptions_started = totals.receptions_started;
        records_.totals.receptions_corrupted = totals.receptions_corrupted;
        records_.totals.captures = totals.captures;
        records_.totals.forced_losses = totals.forced_losses;
        records_.totals.interference_bursts = interference_.bursts();
    }

    const WorldSpec &spec_;
    const RadioProfile radio_;
    std::uint32_t count_;
    Records records_;
    Channel channel_;
    EventQueue events_;
    Csma mac_;
    Medium medium_;
    Interference interference_;
    std::optional<LowPowerListening> listening_;
    Motes motes_;
    std::uint64_t processed_ = 0;
};

} // namespace

Records run(const WorldSpec &spec, const std::atomic<bool> &cancel, Watch *watch)
{
    check(spec);
    return World(spec).run(cancel, watch);
}

} // namespace penstock
