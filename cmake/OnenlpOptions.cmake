# Compiler options shared by every target of the project (not by third-party code).
#
#   onenlp_options           warnings, for our own code
#   the directory scope      what changes the meaning of code: it must be the same for all of it

# Native and wasm must compute the same bits: no fused multiply-add by contraction, and no option
# that lets the compiler reorder float arithmetic.
add_compile_options(-ffp-contract=off)
if(EMSCRIPTEN)
  add_compile_options(-msimd128)
endif()

# Release builds keep their assertions out, but never reach for -O2 on one system and -O3 on another.
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

if(ONENLP_SANITIZE)
  add_compile_options(-fsanitize=${ONENLP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ONENLP_SANITIZE})
endif()

if(ONENLP_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ONENLP_FUZZ needs clang (libFuzzer); the compiler is ${CMAKE_C_COMPILER_ID}. "
                        "Use the preset: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

add_library(onenlp_options INTERFACE)
target_compile_options(onenlp_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${ONENLP_WERROR}>:-Werror>)
