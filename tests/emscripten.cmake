# SPDX-License-Identifier: MIT
# The C++ tests as a WebAssembly program under Node: GoogleTest compiled from Debian's sources, files read
# through Node, the environment passed on.
set(PACKSCOPE_GOOGLETEST_DIR /usr/src/googletest CACHE PATH "Sources of GoogleTest (Debian: package googletest)")
set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
set(gtest_disable_pthreads ON CACHE BOOL "" FORCE)
add_subdirectory(${PACKSCOPE_GOOGLETEST_DIR} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)

target_link_libraries(packscope_tests PRIVATE gtest gtest_main)
# Headers from the source tree, not as an imported target: our warnings are not theirs.
get_target_property(gtest_includes gtest INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(packscope_tests SYSTEM PRIVATE ${gtest_includes})

# A folder with nothing but the JSON headers: the system's own must not come along.
set(PACKSCOPE_NLOHMANN_DIR /usr/include/nlohmann CACHE PATH "Headers of nlohmann/json (Debian: nlohmann-json3-dev)")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PACKSCOPE_NLOHMANN_DIR} ${PROJECT_BINARY_DIR}/include/nlohmann SYMBOLIC)
target_include_directories(packscope_tests SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/include)

# Compiling synchronously keeps the glue from Node's fetch, which it does not know how to use.
target_link_options(packscope_tests PRIVATE
  -sENVIRONMENT=node -sNODERAWFS=1 -sWASM_ASYNC_COMPILATION=0 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
  --pre-js ${CMAKE_CURRENT_SOURCE_DIR}/emscripten_environment.js)
# The glue is CommonJS, and the package.json above the build folder says otherwise.
file(WRITE ${PROJECT_BINARY_DIR}/package.json "{ \"type\": \"commonjs\" }\n")
