# IMPACT_STATIC: the archives of libyaml, of HDF5 and of what HDF5 needs, in place of the shared libraries. HDF5 names more
# libraries than the program needs: those that have no archive are for its drivers of other kinds of storage.

# The archive beside a shared library; of those that HDF5 needs, also one elsewhere.
function(archive_of archive library)
  get_filename_component(name ${library} NAME_WE)
  get_filename_component(folder ${library} DIRECTORY)
  find_library(archive_${name} ${name}.a PATHS ${folder} NO_DEFAULT_PATH)
  if(NOT name MATCHES "hdf5")
    find_library(archive_${name} ${name}.a)
  endif()
  set(${archive} "${archive_${name}}" PARENT_SCOPE)
endfunction()

set(archives)
foreach(library ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
  if(library MATCHES "\\.so")
    archive_of(found ${library})
    if(found AND NOT library MATCHES "lib(crypto|curl|c|m|dl|pthread)\\.so")
      list(APPEND archives ${found})
    endif()
  elseif(library MATCHES "\\.a$")
    list(APPEND archives ${library})
  endif()
endforeach()
find_library(archive_libaec libaec.a) # behind libsz
find_library(archive_libyaml libyaml.a)
if(archive_libaec)
  list(APPEND archives ${archive_libaec})
endif()

# Whether a program of HDF5 can be linked so.
include(CheckCSourceCompiles)
get_target_property(CMAKE_REQUIRED_INCLUDES need_hdf5 INTERFACE_INCLUDE_DIRECTORIES)
set(CMAKE_REQUIRED_LIBRARIES ${archives} ${CMAKE_DL_LIBS} m)
if(IMPACT_MPI)
  list(APPEND CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
endif()
check_c_source_compiles("#include <hdf5_hl.h>\nint main(void) { return H5open() + (H5DSset_scale(0, \"\") < 0); }"
                        archives_link)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)

if(archives_link AND archive_libyaml)
  set_target_properties(need_hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES "need_mpi;${archives};${CMAKE_DL_LIBS};m")
  set_target_properties(PkgConfig::YAML PROPERTIES INTERFACE_LINK_LIBRARIES ${archive_libyaml})
elseif(NOT IMPACT_STATIC STREQUAL "auto")
  missing("libhdf5-dev libaec-dev zlib1g-dev libyaml-dev" "an archive (.a) of HDF5, of a library that it needs, or of libyaml")
endif()
