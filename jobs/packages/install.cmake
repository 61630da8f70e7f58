# The files that `cmake --install` copies below the prefix and `cpack -G DEB` into a package.
include(CMakePackageConfigHelpers)

# ---- the library, for pkg-config and for CMake ----

install(TARGETS impact_shared impact_static EXPORT impactTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(impact_shared PROPERTIES EXPORT_NAME impact)
set_target_properties(impact_static PROPERTIES EXPORT_NAME static)

set(packaging ${CMAKE_CURRENT_LIST_DIR})
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/impact)
install(EXPORT impactTargets NAMESPACE impact:: DESTINATION ${package_folder})
configure_package_config_file(${packaging}/impactConfig.cmake.in impactConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(impactConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/impactConfig.cmake ${CMAKE_BINARY_DIR}/impactConfigVersion.cmake
        DESTINATION ${package_folder})

# The prefix relative to the folder of impact.pc, so that the whole installation may be moved.
string(REGEX REPLACE "[^/]+" ".." to_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(${packaging}/impact.pc.in impact.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/impact.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md CHANGELOG.md LICENSE CITATION.cff jobs/packages/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(NOT IMPACT_PROGRAM)
  return()
endif()

# ---- the program, its configs and jobs ----

install(TARGETS impactsweep RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(with_petsc)
  install(TARGETS impactsweep_petsc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/impactsweep)
  # Relative to the program, so that the whole installation may be moved.
  file(RELATIVE_PATH to_module ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/impactsweep)
  set_property(TARGET impactsweep APPEND PROPERTY INSTALL_RPATH $ORIGIN/${to_module})
endif()
set(share ${CMAKE_INSTALL_DATADIR}/impactsweep)
install(DIRECTORY configs DESTINATION ${share}
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "*.md")
file(GLOB scripts jobs/*.sbatch jobs/*.pbs)
file(GLOB pages jobs/*.md)
install(PROGRAMS ${scripts} DESTINATION ${share}/jobs)
install(FILES ${pages} DESTINATION ${share}/jobs)

install(FILES src/cmd/completion.bash RENAME impactsweep
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES src/cmd/completion.zsh RENAME _impactsweep
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# The program writes its manual pages, if it runs on this machine.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "no manual pages: the program, which writes them, does not run on this machine; "
                 "set CMAKE_CROSSCOMPILING_EMULATOR")
else()
  set(manual ${CMAKE_BINARY_DIR}/manual)
  file(MAKE_DIRECTORY ${manual})
  file(STRINGS src/cmd/commands.def names REGEX "^COMMAND")
  list(TRANSFORM names REPLACE "COMMAND\\((.+)\\)" "\\1")
  set(manual_pages ${manual}/impactsweep.1)
  set(write_manual COMMAND impactsweep help --man >${manual}/impactsweep.1)
  foreach(name ${names})
    list(APPEND manual_pages ${manual}/impactsweep-${name}.1)
    list(APPEND write_manual COMMAND impactsweep help ${name} --man >${manual}/impactsweep-${name}.1)
  endforeach()
  add_custom_command(OUTPUT ${manual_pages} ${write_manual} DEPENDS impactsweep
                     COMMENT "Writing manual pages")
  add_custom_target(manual ALL DEPENDS ${manual_pages})
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# ---- the Python package, in the folder below the prefix that python3 of this machine searches ----

find_program(PYTHON3 python3 HINTS /usr/bin)
set(python_folder lib/python3/dist-packages)
if(PYTHON3)
  execute_process(OUTPUT_VARIABLE python_folder OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND ${PYTHON3} -c "import os, sysconfig; print('lib/python%s/%s' % (\
sysconfig.get_python_version(), os.path.basename(sysconfig.get_path('purelib'))))")
endif()
set(IMPACT_PYTHON_DIR ${python_folder} CACHE STRING "Folder of Python packages below the prefix")
# Below /usr Debian has one folder for every version of Python; the prefix is known when it is installed.
install(CODE "set(python_folder ${IMPACT_PYTHON_DIR})
if(CMAKE_INSTALL_PREFIX MATCHES /usr$)
  string(REGEX REPLACE python3[.][0-9]+/dist python3/dist python_folder \${python_folder})
endif()")
install(DIRECTORY postprocess/impactsweep DESTINATION \${python_folder}
        FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN looks.json PATTERN __pycache__ EXCLUDE)

# ---- the Debian package ----

set(IMPACT_MAINTAINER "impactsweep authors <nobody@localhost>" CACHE STRING
    "Name and address of the maintainer of the packages that cpack makes")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${IMPACT_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Impact of a body on a plane with friction
 Maps of contact modes, restitution, impulses, losses and times over any grid of
 parameters, on all cores or under MPI; a library for C and a package for Python.")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "hdf5-tools, python3-numpy, python3-pandas, python3-xarray, \
python3-h5netcdf, python3-h5py, python3-matplotlib")
if(IMPACT_MPI)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin | mpich")
endif()
include(CPack)
