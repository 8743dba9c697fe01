"""scripts/gpu_check.sh in a copy of scripts/, with stand-ins for the compiler, the programs and the device."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


class GpuCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "check out"
        shutil.copytree(SOURCE / "scripts", self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.torch = self.root / "wheel/torch"
        (self.torch / "lib").mkdir(parents=True)
        (self.torch / "lib/libtorch_cuda.so").touch()
        self.called = self.root / "called"
        self.called.write_text("")
        self.stub("stubs/cmake", 'mkdir -p "$PWD/build/gpu"')
        self.stub("stubs/ninja", f'cp "{self.root}"/programs/* "$PWD/build/gpu/"')
        for name in ("test_gpu", "device_bench", "device_traversal_bench"):
            self.stub(f"programs/{name}", f'echo "{name} $1 $CMAKE_PREFIX_PATH" >>"{self.called}"')
        self.devices("1 CUDA")

    def stub(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/bash\n" + text + "\n")
        path.chmod(0o755)

    def devices(self, words):
        self.stub("programs/deepcfr", f"""
          if [ "$1" = doctor ]; then echo "devices:   CPU, {words}"; exit; fi
          echo "train" >>"{self.called}"; mkdir run; echo "device: CUDA device 0" | tee run/log.txt""")

    def check(self, *arguments, **environment):
        merged = {"PATH": f"{self.root}/stubs:{os.environ['PATH']}", "HOME": str(self.root), "DEEPCFR_TORCH_ROOT": str(self.torch)}
        merged.update(environment)
        return subprocess.run([self.root / "scripts/gpu_check.sh", *arguments], env=merged, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=100)

    def test_all_parts(self):
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual([line.split()[0] for line in self.called.read_text().splitlines()],
                         ["test_gpu", "device_bench", "device_bench", "train", "device_traversal_bench", "device_bench"])
        self.assertIn("all parts passed", result.stdout)

    def test_chosen_parts(self):
        self.assertEqual(self.check("build", "fit").returncode, 0)
        self.assertEqual(self.called.read_text().split(), ["device_bench", "fit"])

    def test_a_part_that_fails_is_named_and_the_others_run(self):
        self.stub("programs/test_gpu", "exit 1")
        result = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"gpu_check: failed: test; ")
        self.assertIn("device_bench rows", self.called.read_text())

    def test_what_there_is_no_time_for_is_left_out_and_said(self):
        self.stub("programs/test_gpu", "sleep 6")
        result = self.check("--seconds", "9")
        self.assertIn("left out for want of time:", result.stdout)

    def test_without_a_device_nothing_is_measured(self):
        for words in ("0 CUDA", "CUDA not built in"):
            self.devices(words)
            result = self.check()
            self.assertEqual(result.returncode, 4, result.stdout)
            self.assertIn("no CUDA device is visible", result.stdout)
        self.assertNotIn("device_bench", self.called.read_text())

    def test_a_failed_build_shows_the_error(self):
        self.stub("stubs/ninja", "echo 'FAILED: a.o'; echo 'a.cpp:3: error: no'; exit 1")
        result = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cpp:3: error: no", result.stdout)
        self.assertEqual(self.called.read_text(), "")

    def test_refusals(self):
        self.assertEqual(self.check("--depths", "x").returncode, 2)
        self.assertEqual(self.check("--deps").returncode, 2)
        self.assertIn("remedy: make it with --pack", self.check("--deps", "/nowhere").stdout)
        (self.torch / "lib/libtorch_cuda.so").unlink()
        self.assertIn("remedy: name the folder 'torch' of a wheel", self.check().stdout)

    def test_packed_libraries_are_found(self):
        if shutil.which("dpkg") is None or subprocess.run(["dpkg", "-s", "libspdlog-dev"], capture_output=True).returncode != 0:
            self.skipTest("not a Debian with the libraries")
        packed = self.root / "packed"
        result = self.check("--pack", str(packed))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue((packed / "usr/include/spdlog/spdlog.h").is_file())
        self.assertLess(sum(f.lstat().st_size for f in packed.rglob("*")), 32 << 20)
        self.assertEqual(self.check("--deps", str(packed), "build", "test").returncode, 0)
        self.assertIn(f"{packed}/usr", self.called.read_text())


if __name__ == "__main__":
    unittest.main()
