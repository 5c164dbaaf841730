# Finds the Emscripten that `emcc` on the PATH belongs to (a Debian package, an activated emsdk,
# Homebrew) and hands over to its own toolchain file. `emcmake cmake --preset wasm` works as well:
# emcmake names that file itself. (Debian's Emscripten needs NODE_PATH to find its acorn; the preset
# sets it.)
find_program(ONENLP_EMCC emcc REQUIRED)
get_filename_component(real_emcc "${ONENLP_EMCC}" REALPATH)
get_filename_component(root "${real_emcc}" DIRECTORY)
foreach(candidate "$ENV{EMSCRIPTEN}" "$ENV{EMSCRIPTEN_ROOT}" "${root}" "${root}/../libexec" "${root}/../lib/emscripten")
  set(onenlp_emscripten_file "${candidate}/cmake/Modules/Platform/Emscripten.cmake")
  if(candidate AND EXISTS "${onenlp_emscripten_file}")
    include("${onenlp_emscripten_file}")
    return()
  endif()
endforeach()
message(FATAL_ERROR "Found ${ONENLP_EMCC}, but not its cmake/Modules/Platform/Emscripten.cmake. "
                    "Configure with: emcmake cmake --preset wasm")
