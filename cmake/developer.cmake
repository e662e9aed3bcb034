# SPDX-License-Identifier: MIT
# What only developers of packscope need: strict warnings, sanitizers, and headers parsed once. Consumers see none of it.

# Then the headers named are parsed once for each target instead of once for each file.
option(PACKSCOPE_PRECOMPILE "Precompile the headers that most files include" OFF)

function(packscope_developer_settings target)
  if(PACKSCOPE_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
    # Where size_t has 32 bits, every 64-bit index into an array in memory would be a warning.
    if(EMSCRIPTEN)
      target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
    endif()
  endif()
  if(PACKSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PACKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${PACKSCOPE_SANITIZE})
  endif()
endfunction()

# packscope_precompile(target header...): the standard headers that most files take, and these.
function(packscope_precompile target)
  if(PACKSCOPE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <cstdint> <optional> <span> <string> <string_view> <utility> <vector> ${ARGN})
  endif()
endfunction()
