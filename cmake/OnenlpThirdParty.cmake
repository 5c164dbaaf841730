# utf8proc and cJSON, built from the sources that tools/setup puts into third_party/ (checked by
# SHA-256 there). Nothing is downloaded at configure time. The versions stand in
# tools/third-party.json and nowhere else.

set(onenlp_third_party_list "${CMAKE_CURRENT_SOURCE_DIR}/tools/third-party.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${onenlp_third_party_list}")
file(READ "${onenlp_third_party_list}" onenlp_third_party_json)

function(onenlp_third_party name out)
  string(JSON version GET "${onenlp_third_party_json}" ${name} version)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/third_party/${name}-${version}")
  if(NOT IS_DIRECTORY "${folder}")
    message(FATAL_ERROR "third_party/${name}-${version} is missing. Run tools/setup first.")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

onenlp_third_party(utf8proc utf8proc_folder)
if(EMSCRIPTEN)
  # With the part of its tables that normalization needs, for what pages fetch.
  find_program(ONENLP_NODE node REQUIRED)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/utf8proc")
  set(tool "${CMAKE_CURRENT_SOURCE_DIR}/tools/cut-utf8proc.mjs")
  configure_file("${utf8proc_folder}/utf8proc.c" "${folder}/utf8proc.c" COPYONLY)
  configure_file("${utf8proc_folder}/utf8proc.h" "${folder}/utf8proc.h" COPYONLY)
  add_custom_command(OUTPUT "${folder}/utf8proc_data.c"
    COMMAND "${ONENLP_NODE}" "${tool}" "${utf8proc_folder}/utf8proc_data.c" "${folder}/utf8proc_data.c"
    DEPENDS "${tool}" "${utf8proc_folder}/utf8proc_data.c")
  add_library(onenlp_utf8proc STATIC "${folder}/utf8proc.c")
  set_source_files_properties("${folder}/utf8proc.c" PROPERTIES OBJECT_DEPENDS "${folder}/utf8proc_data.c")
else()
  add_library(onenlp_utf8proc STATIC "${utf8proc_folder}/utf8proc.c")
endif()
target_include_directories(onenlp_utf8proc SYSTEM PUBLIC "${utf8proc_folder}")
target_compile_definitions(onenlp_utf8proc PUBLIC UTF8PROC_STATIC)
target_compile_options(onenlp_utf8proc PRIVATE -w)

onenlp_third_party(cJSON cjson_folder)
add_library(onenlp_cjson STATIC "${cjson_folder}/cJSON.c")
target_include_directories(onenlp_cjson SYSTEM PUBLIC "${cjson_folder}")
target_compile_options(onenlp_cjson PRIVATE -w)
# cJSON reads numbers with strtod: where the process has set a locale with a decimal comma, it must know.
target_compile_definitions(onenlp_cjson PRIVATE ENABLE_LOCALES)
# src/format/json.c has a short way for whole numbers.
target_compile_definitions(onenlp_cjson PRIVATE strtod=on_cjson_strtod)
