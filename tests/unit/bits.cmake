# Programs that are built natively and as WASI commands, to compare the two bit by bit (tests/js/bits.test.mjs);
# this file is included from both builds.
function(onenlp_bits_program name source)
  if(EMSCRIPTEN)
    add_executable(${name} EXCLUDE_FROM_ALL "${source}")
    target_link_options(${name} PRIVATE -O3 -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1
      -sEXPORTED_FUNCTIONS=_main,_onenlp_wasm_relaxed_slot -Wl,--export-table)
    set_target_properties(${name} PROPERTIES SUFFIX .wasm)
  else()
    add_executable(${name} "${source}")
  endif()
  target_link_libraries(${name} PRIVATE onenlp_options onenlp_core)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()

onenlp_bits_program(text_bits "${CMAKE_CURRENT_LIST_DIR}/text/text_bits.c")
onenlp_bits_program(kernel_bits "${CMAKE_CURRENT_LIST_DIR}/nn/kernel_bits.c")
onenlp_bits_program(pipeline_bits "${CMAKE_CURRENT_LIST_DIR}/pipeline/pipeline_bits.c")
if(NOT EMSCRIPTEN)
  add_test(NAME nn_kernel_bits COMMAND kernel_bits)
  set_tests_properties(nn_kernel_bits PROPERTIES LABELS unit ENVIRONMENT "${onenlp_test_environment}")
endif()
