// Threads that help with a call's work, and wait for the next one's.
//
// Starting a thread, or waking one that sleeps, takes as long as a short measurement. So a helper that is done spins
// for a moment, because the next call mostly comes immediately, and yields the processor meanwhile; then it sleeps.
// Helpers live as long as the process. A forked child has none of them: the helpers it calls never start, and are not
// waited for.
#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace fsdesk {
namespace {

constexpr std::chrono::microseconds kLookOut{200};

class Helper {
  public:
    Helper() : thread_([this] { serve(); }) { thread_.detach(); }

    void ask(const std::function<void(int)>& work, int worker) {
        work_ = &work;
        worker_ = worker;
        change(State::asked);
    }

    /// Return once it no longer works, or does not start any more.
    void finish() {
        State expected = State::asked;
        if (state_.compare_exchange_strong(expected, State::idle)) return;
        wait_for(State::idle);
    }

  private:
    enum class State { idle, asked, at_work };

    void change(State state) {
        {
            const std::lock_guard guard(lock_);
            state_.store(state);
        }
        changed_.notify_all();
    }

    void wait_for(State state) {
        using Clock = std::chrono::steady_clock;
        for (const auto end = Clock::now() + kLookOut; state_.load() != state && Clock::now() < end;) {
            std::this_thread::yield();
        }
        if (state_.load() == state) return;
        std::unique_lock guard(lock_);
        changed_.wait(guard, [&] { return state_.load() == state; });
    }

    [[noreturn]] void serve() {
        while (true) {
            wait_for(State::asked);
            State expected = State::asked;
            if (!state_.compare_exchange_strong(expected, State::at_work)) continue;  // it came too late
            (*work_)(worker_);
            change(State::idle);
        }
    }

    std::atomic<State> state_{State::idle};
    std::mutex lock_;
    std::condition_variable changed_;
    const std::function<void(int)>* work_ = nullptr;
    int worker_ = 0;
    std::thread thread_;  // the last one: it starts immediately
};

struct Idle {
    std::mutex lock;
    std::vector<Helper*> helpers;
};

Idle& idle() {
    static Idle* const all = new Idle;  // never deleted: helpers outlive any end of the process
    return *all;
}

}  // namespace

void together(int threads, const std::function<void(int)>& work) {
    std::vector<Helper*> helpers;
    const auto wanted = static_cast<std::size_t>(std::max(threads - 1, 0));
    {
        const std::lock_guard guard(idle().lock);
        auto& known = idle().helpers;
        while (helpers.size() < wanted && !known.empty()) {
            helpers.push_back(known.back());
            known.pop_back();
        }
    }
    try {
        while (helpers.size() < wanted) helpers.push_back(std::make_unique<Helper>().release());
    } catch (const std::system_error&) {
    }
    int worker = 0;
    for (Helper* helper : helpers) helper->ask(work, ++worker);
    work(0);
    for (Helper* helper : helpers) helper->finish();
    const std::lock_guard guard(idle().lock);
    idle().helpers.insert(idle().helpers.end(), helpers.begin(), helpers.end());
}

}  // namespace fsdesk
