# IMPACT_STATIC: the archives of libyaml and of what HDF5 needs, in place of the shared libraries. HDF5 names more libraries
# than the program needs: those that have no archive are for its drivers of other kinds of storage.
function(archive_of archive library)
  get_filename_component(name ${library} NAME_WE)
  find_library(archive_${name} ${name}.a)
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
if(NOT archive_libyaml)
  missing(libyaml-dev "libyaml.a")
endif()
# Where the code of HDF5 begins in the program, for src/store/library.c: a function that is linked before the archives.
set(before_hdf5 ${CMAKE_BINARY_DIR}/generated/before_hdf5.c)
file(CONFIGURE OUTPUT ${before_hdf5} CONTENT "void imp_before_hdf5(void);\nvoid imp_before_hdf5(void) {}\n")
add_library(before_hdf5 STATIC ${before_hdf5})
set_source_files_properties(src/store/library.c PROPERTIES COMPILE_DEFINITIONS IMP_HDF5_ARCHIVE)
set_target_properties(need_hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES
  "need_mpi;before_hdf5;${archives};$<$<BOOL:${archive_libaec}>:${archive_libaec}>;${CMAKE_DL_LIBS};m")
set_target_properties(PkgConfig::YAML PROPERTIES INTERFACE_LINK_LIBRARIES ${archive_libyaml})
