// SPDX-License-Identifier: MIT
// The two things that live on in the engine between calls: a stream of documents being packed, and a plan
// being drawn. JavaScript holds them by number until it closes them.
#pragma once

namespace packscope::wasm {

void bind_handles();

}  // namespace packscope::wasm
