# SPDX-License-Identifier: MIT
# SIMD through Google Highway, which the kernels use where it is installed; without it they run their scalar
# twins. Found by hand, since Debian's hwy-config.cmake names folders that do not exist.

function(packscope_use_highway target)
  find_path(PACKSCOPE_HIGHWAY_INCLUDE hwy/highway.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT EMSCRIPTEN)
    find_library(PACKSCOPE_HIGHWAY_LIBRARY hwy)
  endif()
  if(NOT PACKSCOPE_HIGHWAY_INCLUDE OR NOT (PACKSCOPE_HIGHWAY_LIBRARY OR EMSCRIPTEN))
    message(STATUS "Google Highway is not installed (Debian: libhwy-dev): the kernels are built without SIMD")
    return()
  endif()

  if(EMSCRIPTEN)
    # Only the headers, through a link of its own: the folder they stand in holds the system's headers too.
    # WebAssembly has one instruction set, so nothing is chosen at run time and no library is needed.
    set(folder ${CMAKE_BINARY_DIR}/highway)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${PACKSCOPE_HIGHWAY_INCLUDE}/hwy ${folder}/hwy SYMBOLIC)
    target_include_directories(${target} SYSTEM PRIVATE ${folder})
    # The rest of the core stays the same with and without SIMD.
    file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cpp/src/kernels/*.cpp)
    set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS -msimd128)
  else()
    target_include_directories(${target} SYSTEM PRIVATE ${PACKSCOPE_HIGHWAY_INCLUDE})
    target_link_libraries(${target} PRIVATE ${PACKSCOPE_HIGHWAY_LIBRARY})
  endif()
  target_compile_definitions(${target} PRIVATE PACKSCOPE_SIMD)
endfunction()
