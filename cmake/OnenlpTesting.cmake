# C tests (cmocka) and fuzz targets. Two helpers for the folders under tests/:
#
#   onenlp_unit_test(name SOURCES a.c ... [ARGS ...] [TIMEOUT seconds] [LABELS ...])
#       A cmocka program that links the core and the training library; registered with ctest.
#       It finds data through ONENLP_DATA, see tests/unit/test.h.
#
#   onenlp_fuzz_target(name SOURCES a.c ... [MUTATOR m.c])
#       A file with LLVMFuzzerTestOneInput, and one with a mutator of its own, which only libFuzzer links.
#       With ONENLP_FUZZ it becomes a libFuzzer program.
#       In every other build it is linked with tests/fuzz/replay.c and runs over
#       tests/fuzz/corpus/<name>/ as an ordinary test.

if(ONENLP_TESTS STREQUAL "OFF" AND NOT ONENLP_FUZZ)
  return()
endif()

enable_testing()

# What a sanitizer does not say by default: a failed allocation must come back as NULL, because
# that is an ordinary error in the core.
set(onenlp_test_environment
  "ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:strict_string_checks=1"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "TSAN_OPTIONS=halt_on_error=1")

function(onenlp_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "onenlp_unit_test(${name} SOURCES file.c ...): wrong arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/unit")
  target_include_directories(test_${name} SYSTEM PRIVATE "${CMOCKA_INCLUDE_DIR}")
  target_compile_definitions(test_${name} PRIVATE
    "TEST_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"" _POSIX_C_SOURCE=200809L)
  target_link_libraries(test_${name} PRIVATE onenlp_options onenlp_core onenlp_train "${CMOCKA_LIBRARY}")
  # Tests assert; a release build must not compile that away.
  target_compile_options(test_${name} PRIVATE -UNDEBUG)
  add_test(NAME ${name} COMMAND test_${name} ${arg_ARGS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${onenlp_test_environment}" LABELS "unit;${arg_LABELS}")
endfunction()

function(onenlp_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MUTATOR" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "onenlp_fuzz_target(${name} SOURCES file.c ...): wrong arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(fuzz_${name} ${arg_SOURCES})
  target_link_libraries(fuzz_${name} PRIVATE onenlp_options onenlp_core)
  if(ONENLP_FUZZ)
    if(arg_MUTATOR)
      target_sources(fuzz_${name} PRIVATE ${arg_MUTATOR})
    endif()
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    add_dependencies(fuzz_all fuzz_${name})
  else()
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c")
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    set_tests_properties(fuzz_${name} PROPERTIES
      TIMEOUT 300 ENVIRONMENT "${onenlp_test_environment}" LABELS fuzz)
  endif()
endfunction()

if(ONENLP_FUZZ)
  add_custom_target(fuzz_all)
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/tests/fuzz/CMakeLists.txt")
  add_subdirectory("${PROJECT_SOURCE_DIR}/tests/fuzz" "${PROJECT_BINARY_DIR}/tests/fuzz")
endif()

if(NOT ONENLP_TESTS STREQUAL "OFF")
  find_path(CMOCKA_INCLUDE_DIR cmocka.h)
  find_library(CMOCKA_LIBRARY cmocka)
  mark_as_advanced(CMOCKA_INCLUDE_DIR CMOCKA_LIBRARY)
  if(CMOCKA_INCLUDE_DIR AND CMOCKA_LIBRARY)
    add_subdirectory("${PROJECT_SOURCE_DIR}/tests/unit" "${PROJECT_BINARY_DIR}/tests/unit")
  elseif(ONENLP_TESTS STREQUAL "ON")
    message(FATAL_ERROR "cmocka is missing (Debian: libcmocka-dev). Run tools/setup.")
  else()
    message(STATUS "cmocka not found: the C tests are left out")
  endif()
endif()
