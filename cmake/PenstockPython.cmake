# The Python module penstock._engine: the world (and with it the library) behind nanobind.
# SPDX-License-Identifier: BSD-3-Clause

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

nanobind_add_module(_engine NB_STATIC NOMINSIZE
    "${PROJECT_SOURCE_DIR}/sim/bindings.cpp" "${PROJECT_SOURCE_DIR}/sim/bindings_bulk.cpp"
    "${PROJECT_SOURCE_DIR}/sim/bindings_spec.cpp")
target_link_libraries(_engine PRIVATE penstock_sim)
install(TARGETS _engine LIBRARY DESTINATION penstock COMPONENT python)
