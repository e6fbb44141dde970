// Threads that help with a call's work, and wait for the next one's.
#pragma once

#include <functional>

namespace fsdesk {

/// Do work(0) on this thread and work(1), work(2), ... beside it, `threads` of them at most, and return when all are done.
///
/// Work must share itself out and must not throw. Where no more threads are to be had, or a helper has not begun when this
/// thread is done, fewer do it.
void together(int threads, const std::function<void(int)>& work);

}  // namespace fsdesk
