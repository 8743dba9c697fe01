"""How the program is linked to LibTorch; names such as T18 are those of the faults that users of such programs reported.

T03 one OpenMP runtime, T18 the CUDA half is not dropped by the linker, T19 no CUDA toolkit is needed to build for the CPU,
T20 a wheel with the other std::string is refused by name, T21 the installed program runs from anywhere.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
PROGRAM = os.environ.get("DEEPCFR_BIN")
BUILD = os.environ.get("DEEPCFR_BUILD_DIR")

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(x LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{modules}")
find_package(LibTorch 2.11 REQUIRED {components})
file(WRITE ${{CMAKE_BINARY_DIR}}/main.cpp "int main() {{}}")
add_executable(main ${{CMAKE_BINARY_DIR}}/main.cpp)
target_link_options(main PRIVATE LINKER:--as-needed)
target_link_libraries(main PRIVATE LibTorch::LibTorch)
"""


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


@unittest.skipUnless(PROGRAM, "there is no program in this build")
class Program(unittest.TestCase):
    def libraries(self, program):
        text = run("ldd", program, env={"PATH": os.environ["PATH"]}).stdout
        self.assertNotIn("not found", text)
        return text

    def test_T03_one_openmp_runtime(self):
        names = re.findall(r"^\s*(lib(?:gomp|iomp5|omp)\S*) =>", self.libraries(PROGRAM), re.M)
        self.assertEqual(len(names), 1, names)

    def test_T19_built_without_cuda_toolkit(self):
        self.assertIn("libtorch_cpu.so", self.libraries(PROGRAM))

    def test_T21_installed_program_runs_from_anywhere(self):
        with tempfile.TemporaryDirectory() as prefix:
            result = run("cmake", "--install", BUILD, "--prefix", prefix)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            installed = pathlib.Path(prefix, "bin/deepcfr")
            self.libraries(installed)
            result = run(installed, "--version", env={}, cwd="/")
            self.assertEqual(result.returncode, 0, result.stderr)


class FindModule(unittest.TestCase):
    """On wheels that hold just enough to be linked."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.wheel = self.root / "site-packages/torch"
        for name in ("lib", "include/ATen", "include/torch/csrc/api/include"):
            (self.wheel / name).mkdir(parents=True)
        (self.wheel / "include/ATen/ATen.h").touch()
        (self.wheel / "version.py").write_text("__version__ = '2.11.0+cu130'\n")

    def library(self, name, code):
        path = self.wheel / "lib" / f"lib{name}.so"
        result = run("c++", "-shared", "-fPIC", "-x", "c++", "-", f"-Wl,-soname,lib{name}.so", "-o", path, input=code)
        self.assertEqual(result.returncode, 0, result.stderr)

    def wheel_of(self, abi):
        self.library("c10", f"#define _GLIBCXX_USE_CXX11_ABI {abi}\n#include <string>\nvoid say(const std::string&) {{}}\n")
        self.library("torch_cpu", "void cpu() {}\n")

    def configure(self, components="", *options):
        self.root.joinpath("CMakeLists.txt").write_text(PROJECT.format(modules=SOURCE / "cmake", components=components))
        return run("cmake", "-S", self.root, "-B", self.root / "build", "-G", "Ninja", f"-DDEEPCFR_TORCH_ROOT={self.wheel}", *options)

    def test_T20_the_other_string_is_refused_by_name(self):
        self.wheel_of(abi=0)
        result = self.configure()
        self.assertNotEqual(result.returncode, 0)
        text = " ".join(result.stderr.split())
        self.assertIn("is built with _GLIBCXX_USE_CXX11_ABI=0, this compiler and its flags use _GLIBCXX_USE_CXX11_ABI=1", text)

    def test_T20_flags_that_ask_for_the_other_string_are_refused(self):
        self.wheel_of(abi=1)
        result = self.configure("", "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_USE_CXX11_ABI=0")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("_GLIBCXX_USE_CXX11_ABI=1, this compiler and its flags use _GLIBCXX_USE_CXX11_ABI=0",
                      " ".join(result.stderr.split()))

    def test_no_wheel_names_the_remedy(self):
        result = self.configure()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("holds no lib/libtorch_cpu.so", result.stderr)

    def test_cuda_asked_of_a_wheel_without_it_names_the_remedy(self):
        self.wheel_of(abi=1)
        result = self.configure("COMPONENTS cuda")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("./scripts/setup.sh --gpu", result.stderr)

    def test_T18_the_cuda_half_stays_linked(self):
        self.wheel_of(abi=1)
        self.library("torch_cuda", "void cuda() {}\n")
        self.library("c10_cuda", "void c10_cuda() {}\n")
        cudnn = self.wheel.parent / "nvidia/cudnn/lib"
        cudnn.mkdir(parents=True)
        cudnn.joinpath("libcudnn.so.9").touch()
        result = self.configure("COMPONENTS cuda")
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run("cmake", "--build", self.root / "build")
        self.assertEqual(result.returncode, 0, result.stdout)
        needed = run("readelf", "-d", self.root / "build/main").stdout
        self.assertIn("[libtorch_cuda.so]", needed)
        self.assertNotIn("[libtorch_cpu.so]", needed)  # shows that as-needed was on


if __name__ == "__main__":
    unittest.main()
