# SPDX-License-Identifier: MIT
# `cmake --install`: the core library with its headers and a package for find_package(packscope), and the program
# where it is built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/packscope)

install(TARGETS packscope_core EXPORT packscope-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cpp/include/packscope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT packscope-targets NAMESPACE packscope:: DESTINATION ${package_folder})

# The target is the whole of the package: it needs no other.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/packscope-config-version.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packscope-config.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/packscope-targets.cmake)\n")
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/packscope-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/packscope-config-version.cmake
  DESTINATION ${package_folder})

if(PACKSCOPE_PROGRAM)
  # The page that `packscope view` serves, where it is built (npm run build:app).
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/app/ DESTINATION ${CMAKE_INSTALL_DATADIR}/packscope/app OPTIONAL)
  install(TARGETS packscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
