// The entry point of the C++ tests: doctest finds the cases of all files of this folder.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
