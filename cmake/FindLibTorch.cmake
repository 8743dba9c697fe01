# Finds the LibTorch inside a PyPI wheel of torch. TorchConfig.cmake is not used: in a wheel built for CUDA it stops where
# there is no CUDA toolkit, although nothing of it is needed to build for the CPU.
#
#   DEEPCFR_TORCH_ROOT   the folder `torch` of the wheel; otherwise .venv/lib/python3*/site-packages/torch of the checkout
#   component cuda       asks for the CUDA half too
#
# Sets LibTorch_FOUND, LibTorch_VERSION, LibTorch_ROOT_DIR and makes
#   LibTorch::cpu       libtorch_cpu and libc10 with their headers
#   LibTorch::cuda      the same and libtorch_cuda and libc10_cuda, kept by the linker although no symbol asks for them
#   LibTorch::LibTorch  the one of the two that was asked for
#
# The wheel's libraries find libgomp, libcudart and libcupti by their own rpath, relative to themselves. So the program
# needs the rpath to torch/lib only, and no OpenMP of the system may be linked beside the wheel's.

set(DEEPCFR_TORCH_ROOT "" CACHE PATH "Folder 'torch' of an installed PyPI wheel (empty: the one in .venv)")

set(_torch_root "${DEEPCFR_TORCH_ROOT}")
if(NOT _torch_root)
  file(GLOB _torch_wheels "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so")
  foreach(_wheel IN LISTS _torch_wheels)
    get_filename_component(_torch_root "${_wheel}/../.." ABSOLUTE)
  endforeach()
endif()
set(LibTorch_ROOT_DIR "${_torch_root}")

set(LibTorch_VERSION "")
if(EXISTS "${_torch_root}/version.py")
  file(STRINGS "${_torch_root}/version.py" _line REGEX "^__version__")
  if(_line MATCHES "'([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(LibTorch_VERSION "${CMAKE_MATCH_1}")
  endif()
endif()

function(_libtorch_file name out)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS "${_torch_root}/lib/${name}")
    set(${out} "${_torch_root}/lib/${name}" PARENT_SCOPE)
  endif()
endfunction()
_libtorch_file(libtorch_cpu.so LibTorch_CPU_LIBRARY)
_libtorch_file(libc10.so LibTorch_C10_LIBRARY)
_libtorch_file(libtorch_cuda.so LibTorch_CUDA_LIBRARY)
_libtorch_file(libc10_cuda.so LibTorch_C10_CUDA_LIBRARY)
set(LibTorch_INCLUDE_DIR "")
if(EXISTS "${_torch_root}/include/ATen/ATen.h")
  set(LibTorch_INCLUDE_DIR "${_torch_root}/include")
endif()
# The wheel for the CPU is the same file; what the CUDA half needs besides comes in packages of its own (nvidia-*).
file(GLOB _nvidia_include "${_torch_root}/../nvidia/cu*/include")
file(GLOB _cudnn "${_torch_root}/../nvidia/cudnn/lib/libcudnn.so*")
if(NOT _cudnn)
  find_library(DEEPCFR_SYSTEM_CUDNN NAMES libcudnn.so.9 libcudnn.so)
  mark_as_advanced(DEEPCFR_SYSTEM_CUDNN)
  set(_cudnn "${DEEPCFR_SYSTEM_CUDNN}")
endif()
# CUDA's headers come with the wheel's packages, but for the folder crt: that of an installed toolkit, else the copy that triton brings.
if("cuda" IN_LIST LibTorch_FIND_COMPONENTS)
  set(_cuda_headers cuda_runtime.h crt/host_config.h)
  foreach(_header IN LISTS _cuda_headers)
    string(MAKE_C_IDENTIFIER "DEEPCFR_CUDA_${_header}" _found)
    find_path(${_found} "${_header}" HINTS ${_nvidia_include} ENV CUDA_HOME ENV CUDA_PATH
      PATHS /usr/local/cuda "${_torch_root}/../triton/backends/nvidia" PATH_SUFFIXES include targets/x86_64-linux/include)
    mark_as_advanced(${_found})
    if(${_found})
      list(APPEND _nvidia_include "${${_found}}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES _nvidia_include)
endif()
if(LibTorch_CUDA_LIBRARY AND LibTorch_C10_CUDA_LIBRARY AND _cudnn)
  set(LibTorch_cuda_FOUND TRUE)
endif()

include(FindPackageHandleStandardArgs)
set(_hint "run ./scripts/setup.sh, or give -DDEEPCFR_TORCH_ROOT=<folder 'torch' of a wheel>, \
or build without it: cmake --preset core")
if(DEEPCFR_TORCH_ROOT AND NOT LibTorch_CPU_LIBRARY)
  set(_hint "DEEPCFR_TORCH_ROOT=${DEEPCFR_TORCH_ROOT} holds no lib/libtorch_cpu.so: it must be the folder 'torch' of a wheel")
endif()
if(LibTorch_CPU_LIBRARY AND "cuda" IN_LIST LibTorch_FIND_COMPONENTS AND NOT LibTorch_cuda_FOUND)
  set(_hint "LibTorch in ${_torch_root} lacks the packages of its CUDA half: run ./scripts/setup.sh --gpu")
endif()
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "${_hint}")
if(NOT LibTorch_FOUND)
  return()
endif()

# std::string has two binary forms in libstdc++. The wheel's, this compiler's and that of Debian's yaml-cpp, spdlog and
# gtest must be the same; found out here, because the linker would only say "undefined reference".
file(STRINGS "${LibTorch_C10_LIBRARY}" _cxx11_names LIMIT_COUNT 1 REGEX "St7__cxx1112basic_string")
if(_cxx11_names)
  set(_torch_abi 1)
else()
  set(_torch_abi 0)
endif()
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <string>
  #if !_GLIBCXX_USE_CXX11_ABI
  #error old
  #endif
  int main() {}" DEEPCFR_COMPILER_CXX11_ABI)
if(DEEPCFR_COMPILER_CXX11_ABI)
  set(_compiler_abi 1)
else()
  set(_compiler_abi 0)
endif()
if(NOT _torch_abi EQUAL _compiler_abi)
  message(FATAL_ERROR "LibTorch in ${_torch_root} is built with _GLIBCXX_USE_CXX11_ABI=${_torch_abi}, this compiler and "
    "its flags use _GLIBCXX_USE_CXX11_ABI=${_compiler_abi}: std::string would not fit. Take a wheel with "
    "_GLIBCXX_USE_CXX11_ABI=${_compiler_abi} (torch 2.7 and later from PyPI have 1), and leave that macro out of CMAKE_CXX_FLAGS.")
endif()

if(NOT TARGET LibTorch::cpu)
  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION "${LibTorch_C10_LIBRARY}")
  add_library(LibTorch::torch_cpu SHARED IMPORTED)
  set_target_properties(LibTorch::torch_cpu PROPERTIES IMPORTED_LOCATION "${LibTorch_CPU_LIBRARY}")
  add_library(LibTorch::cpu INTERFACE IMPORTED)
  target_include_directories(LibTorch::cpu SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}" "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
  target_link_libraries(LibTorch::cpu INTERFACE LibTorch::torch_cpu LibTorch::c10)

  if(LibTorch_cuda_FOUND)
    set(CMAKE_CXX_LINK_LIBRARY_USING_deepcfr_keep
      "LINKER:--push-state,--no-as-needed" "<LINK_ITEM>" "LINKER:--pop-state")
    set(CMAKE_CXX_LINK_LIBRARY_USING_deepcfr_keep_SUPPORTED TRUE)
    add_library(LibTorch::c10_cuda SHARED IMPORTED)
    set_target_properties(LibTorch::c10_cuda PROPERTIES IMPORTED_LOCATION "${LibTorch_C10_CUDA_LIBRARY}")
    add_library(LibTorch::torch_cuda SHARED IMPORTED)
    set_target_properties(LibTorch::torch_cuda PROPERTIES IMPORTED_LOCATION "${LibTorch_CUDA_LIBRARY}")
    add_library(LibTorch::cuda INTERFACE IMPORTED)
    target_include_directories(LibTorch::cuda SYSTEM INTERFACE ${_nvidia_include})
    target_link_libraries(LibTorch::cuda INTERFACE
      "$<LINK_LIBRARY:deepcfr_keep,LibTorch::torch_cuda,LibTorch::c10_cuda>" LibTorch::cpu)
  endif()
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  if("cuda" IN_LIST LibTorch_FIND_COMPONENTS)
    target_link_libraries(LibTorch::LibTorch INTERFACE LibTorch::cuda)
  else()
    target_link_libraries(LibTorch::LibTorch INTERFACE LibTorch::cpu)
  endif()
endif()
