// Threads that help with a call's work, and wait for the next one's.
#pragma once

#include <functional>

namespace fsdesk {

/// Do work(0) on this thread and work(1), work(2), ... beside it, on at most `threads` of them, and return when all are
/// done.
///
/// Work must distribute itself and must not throw. If no more threads are available, or a helper has not started when
/// this thread is done, fewer do it.
void together(int threads, const std::function<void(int)>& work);

}  // namespace fsdesk
