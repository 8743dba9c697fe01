# Compiler flags, in interface targets: deepcfr_flags (everything that is compiled here), deepcfr_warnings (rooms) and
# deepcfr_test_warnings (tests and benches).

add_library(deepcfr_flags INTERFACE)
target_compile_features(deepcfr_flags INTERFACE cxx_std_20)
# a*b+c must not round differently in two copies of the same inlined function: same seed, same bits (docs/architecture.md).
# Where a fused multiply-add is wanted, write std::fma.
target_compile_options(deepcfr_flags INTERFACE -ffp-contract=off)
target_compile_definitions(deepcfr_flags INTERFACE DEEPCFR_VERSION="${PROJECT_VERSION}")
if(DEEPCFR_ARCH)
  target_compile_options(deepcfr_flags INTERFACE -march=${DEEPCFR_ARCH})
endif()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_definitions(deepcfr_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(DEEPCFR_CUDA)
  target_compile_definitions(deepcfr_flags INTERFACE DEEPCFR_CUDA)
endif()

if(DEEPCFR_SANITIZE STREQUAL "address")
  # vptr asks for type information that LibTorch hides.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined)
elseif(DEEPCFR_SANITIZE STREQUAL "thread")
  set(sanitize -fsanitize=thread)
elseif(DEEPCFR_SANITIZE)
  message(FATAL_ERROR "DEEPCFR_SANITIZE=${DEEPCFR_SANITIZE}: it is address (with undefined), thread or empty")
endif()
if(DEEPCFR_SANITIZE)
  target_compile_options(deepcfr_flags INTERFACE ${sanitize} -fno-omit-frame-pointer)
  target_link_options(deepcfr_flags INTERFACE ${sanitize})
endif()

add_library(deepcfr_test_warnings INTERFACE)
# "if (x) EXPECT_EQ(…)" is a dangling else to the compiler, though not to the reader.
target_compile_options(deepcfr_test_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-dangling-else)
add_library(deepcfr_warnings INTERFACE)
target_compile_options(deepcfr_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor)
if(DEEPCFR_WERROR)
  target_compile_options(deepcfr_test_warnings INTERFACE -Werror)
  target_compile_options(deepcfr_warnings INTERFACE -Werror)
endif()
