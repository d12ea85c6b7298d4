# How every native target is compiled: arithmetic, warnings as errors, sanitizers, fuzzing, link-time optimisation.
# SPDX-License-Identifier: BSD-3-Clause

# The same seed must give the same bytes on any machine. A fused multiply-add rounds once where the written
# expression rounds twice, so whether the compiler fuses must not depend on the target; -ffast-math is out for good.
add_compile_options(-ffp-contract=off)

if(PENSTOCK_WERROR)
    set(CMAKE_COMPILE_WARNING_AS_ERROR ON) # CMake 3.24; older ones ignore it
endif()

if(PENSTOCK_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

# penstock_add_fuzzer(NAME SOURCE... [LIBRARIES lib...]): one libFuzzer program, where tools/fuzz.py looks for it.
# Without PENSTOCK_FUZZ it does nothing, so callers need no condition of their own.
if(PENSTOCK_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "PENSTOCK_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang "
                            "-DCMAKE_CXX_COMPILER=clang++, or use the preset 'fuzz'")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
function(penstock_add_fuzzer name)
    if(NOT PENSTOCK_FUZZ)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzzers")
endfunction()

# Whole-program optimisation lets the world call into the library without a call: worth it in the bench's build only.
set(penstock_lto OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PENSTOCK_SANITIZE AND NOT PENSTOCK_FUZZ)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT penstock_lto OUTPUT lto_why LANGUAGES C CXX)
    if(penstock_lto)
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    else()
        message(STATUS "No link-time optimisation: ${lto_why}")
    endif()
endif()
