# SPDX-License-Identifier: MIT
# What only developers of packscope need: strict warnings, sanitizers, and fewer compilations. Consumers see none of it.

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

# packscope_join(target [APART file...]): where CMAKE_UNITY_BUILD is on, up to twelve files of a folder are compiled as
# one, so that the headers they share are read once. A file APART is compiled by itself: a name in its anonymous
# namespace is another's in its folder, too, or the member of a type from a header (which g++ warns of in a joined file).
function(packscope_join target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" APART)
  list(TRANSFORM arg_APART PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${arg_APART})
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH path)
    cmake_path(GET path FILENAME folder)
    list(LENGTH files_of_${folder} joined_count)
    math(EXPR part "${joined_count} / 12 + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${part})
    list(APPEND files_of_${folder} ${source})
  endforeach()
endfunction()
