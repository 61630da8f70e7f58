# The solver of pages: the kernels that need no PETSc and the C files of this folder, as one module of
# WebAssembly. Sets page_module to the file, compressed by gzip; to nothing where it cannot be built. Debian's
# packages are named by `jobs/packages.sh report`; IMPACT_WASM_FLAGS is for a sysroot at another place.
set(IMPACT_WASM_FLAGS --sysroot=/usr -isystem /usr/include/wasm32-wasi -L/usr/lib/wasm32-wasi
    CACHE STRING "Where clang finds the C library for WebAssembly")
find_program(IMPACT_WASM_CLANG NAMES clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang
             DOC "clang with the target wasm32")

set(wasm_target ${IMPACT_WASM_CLANG} --target=wasm32-wasi ${IMPACT_WASM_FLAGS})
set(wasm_linker -mexec-model=reactor -Wl,-z,stack-size=4194304 -Wl,--gc-sections -Wl,--strip-all)
set(wasm_folder ${CMAKE_BINARY_DIR}/generated/page)
file(MAKE_DIRECTORY ${wasm_folder})

# Whether a program that prints a number can be made; what fails otherwise.
function(try_wasm works)
  set(${works} OFF PARENT_SCOPE)
  find_program(IMPACT_GZIP gzip)
  if(NOT IMPACT_WASM_CLANG OR NOT IMPACT_GZIP)
    return()
  endif()
  file(WRITE ${wasm_folder}/try.c "#include <math.h>\n#include <stdio.h>\nvoid f(double x) { printf(\"%g\", sqrt(x)); }\n")
  execute_process(COMMAND ${wasm_target} ${wasm_linker} -Wl,--export=f ${wasm_folder}/try.c -lm -o ${wasm_folder}/try.wasm
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(${works} ON PARENT_SCOPE)
  endif()
endfunction()

set(page_module "")
set(with_wasm OFF)
if(NOT IMPACT_WASM STREQUAL "off")
  try_wasm(with_wasm)
endif()
if(NOT with_wasm)
  if(IMPACT_WASM STREQUAL "on")
    missing("clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32" "A compiler for WebAssembly")
  endif()
  message(STATUS "without WebAssembly: pages show stored data only, and solve nothing")
  return()
endif()

get_target_property(wasm_words impact_words SOURCES)
file(GLOB wasm_calls CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/page/*.c)
set(wasm_objects)
lane_options(two_lanes 2)
# Ninja reads the lists of headers as clang writes them; otherwise a process of CMake rewrites each of them.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 OLD)
foreach(source ${kernels} ${wasm_words} ${wasm_calls})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${source})
  set(object ${wasm_folder}/objects/${name}.o)
  get_filename_component(folder ${object} DIRECTORY)
  set(options -O2)
  if(name MATCHES "_lanes\\.c$")
    list(APPEND options ${two_lanes})
  elseif(name MATCHES "^(base|config|page|solve)/|/(history|inputs|outputs)\\.c$") # which take no time: a page has as few bytes as it can
    set(options -Os)
  endif()
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${wasm_target} -Qunused-arguments -std=c11 -D_POSIX_C_SOURCE=200809L
            -D_DEFAULT_SOURCE -I ${CMAKE_SOURCE_DIR}/src -I ${CMAKE_SOURCE_DIR}/include -Wall -Wextra
            $<$<BOOL:${IMPACT_WERROR}>:-Werror> -DNDEBUG -msimd128 -ffp-contract=off -fno-math-errno ${options}
            -ffunction-sections -fdata-sections -MD -MF ${object}.d -c ${source} -o ${object})
  list(APPEND wasm_objects ${object})
endforeach()
cmake_policy(POP)

set(page_module ${wasm_folder}/module.wasm.gz)
add_custom_command(OUTPUT ${page_module} DEPENDS ${wasm_objects} VERBATIM
  COMMAND ${wasm_target} ${wasm_linker} ${wasm_objects} -lm -o ${wasm_folder}/module.wasm
  COMMAND ${IMPACT_GZIP} -9nkf ${wasm_folder}/module.wasm
  COMMENT "Linking the module of WebAssembly")
add_custom_target(page_module ALL DEPENDS ${page_module})
