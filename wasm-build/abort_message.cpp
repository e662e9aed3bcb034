// SPDX-License-Identifier: MIT
// The C++ library tells why it aborts through this function. Its own prints, and printing would be the only
// reason to have printf in the module; JavaScript says what happened.
#include <cstdlib>

extern "C" [[noreturn]] void abort_message(const char* /*format*/, ...) { std::abort(); }
