"""Hatchling's hook: with PELOARENA_COMPILE=1 a wheel contains compiled rules, from the same files as the pure one.

Without it, or for an editable install, it does nothing: a compiled file next to the sources would hide edits there, and
a machine without a compiler must never notice.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILE_RULES = os.environ.get("PELOARENA_COMPILE") == "1"
COMPILE_REQUIREMENTS = ["mypy>=1.18,<3", "msgspec>=0.19,<1", "setuptools>=77", "trio>=0.32,<1"]


class CompileRules(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return COMPILE_REQUIREMENTS if COMPILE_RULES else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not COMPILE_RULES:
            return
        self.folder = Path(tempfile.mkdtemp(prefix="peloarena-compile-"))
        shutil.copytree(Path(self.root) / "peloarena", self.folder / "peloarena")
        program = Path(self.root) / "tools" / "compile_rules.py"
        done = subprocess.run([sys.executable, str(program)], cwd=self.folder, stdout=sys.stderr)
        if done.returncode:
            raise SystemExit("The rules were not compiled (see above). Without PELOARENA_COMPILE=1 the wheel is pure.")
        shutil.rmtree(self.folder / "build")
        built = [path for path in self.folder.rglob("*") if path.suffix in (".so", ".pyd")]
        build_data["force_include"].update({str(path): str(path.relative_to(self.folder)) for path in built})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if build_data["infer_tag"]:
            shutil.rmtree(self.folder)
