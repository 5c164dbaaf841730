typedef int onenlp_empty; /* A target needs one source; see src/CMakeLists.txt. */
