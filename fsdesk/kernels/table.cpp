// The kernels of this level, for selection by module.cpp.
#include "kernels.hpp"

namespace fsdesk::FSDESK_LEVEL {

#define FSDESK_ENTRY(name) name,
const Kernels table = {FSDESK_KERNELS(FSDESK_ENTRY)};
#undef FSDESK_ENTRY

}  // namespace fsdesk::FSDESK_LEVEL
