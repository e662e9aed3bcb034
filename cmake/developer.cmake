# SPDX-License-Identifier: MIT
# What only developers of packscope need: strict warnings and sanitizers. Consumers see neither.

function(packscope_developer_settings target)
  if(PACKSCOPE_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
  endif()
  if(PACKSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PACKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${PACKSCOPE_SANITIZE})
  endif()
endfunction()
