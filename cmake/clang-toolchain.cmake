# The fuzz preset needs clang: the unversioned one where there is one, else Debian's.
find_program(ONENLP_CLANG NAMES clang clang-14 clang-19 clang-18 clang-17 clang-16 clang-15 REQUIRED)
set(CMAKE_C_COMPILER "${ONENLP_CLANG}")
