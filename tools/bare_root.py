"""A bare Debian root: made once and kept as a tar, unpacked for one test, entered as root or as an ordinary user.

It contains what README requires (python3 with venv, make, git) and nothing else. Mirror, certificates, proxies and the
settings of pip and npm are read from this machine at run time and written only into the unpacked folder.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
PACKAGES = "python3,python3-venv,make,git,ca-certificates"
USER = "visitor"
"""The ordinary user of every root."""

MAX_TAR_AGE_SECONDS = 14 * 24 * 3600
"""Seconds. An older tar is made again: Debian testing changes, and a machine's packages should be current."""

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROXY_VARIABLES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
APT_KEYS = ("Acquire::http", "Acquire::Check-Valid-Until", "Acquire::Retries")
PIP_KEYS = ("index-url", "extra-index-url", "trusted-host", "proxy")


class BareRootError(Exception):
    """One sentence for the terminal: what this machine lacks, and what to do."""


def output_of(*command: str) -> str:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout


def local_mirror() -> str:
    """Where apt on this machine gets Debian's packages."""
    asked = ("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian")
    if not output_of(*asked):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
    found = [line for line in output_of(*asked, "Label: Debian").splitlines() if line.startswith("http")]
    if not found:
        raise BareRootError("apt names no Debian mirror here: give one with MIRROR=ADDRESS")
    return found[0]


def apt_settings() -> list[str]:
    """This machine's apt settings for reaching its mirror, as options of mmdebstrap."""
    lines = output_of("apt-config", "dump", "Acquire").splitlines()
    return [f"--aptopt={line}" for line in lines if line.startswith(APT_KEYS)]


def cached_tar(suite: str, mirror: str | None = None) -> Path:
    """The kept tar of a suite, made if it is missing or old."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "peloarena" / "bare"
    tar = cache / f"{suite}.tar"
    if tar.exists() and time.time() - tar.stat().st_mtime < MAX_TAR_AGE_SECONDS:
        return tar
    mirror = mirror or local_mirror()
    if not shutil.which("mmdebstrap"):
        run_or_raise("sh", "-c", "apt-get update -qq && apt-get install -y -qq mmdebstrap")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        made = Path(scratch) / "made.tar"
        options = ("--quiet", "--variant=minbase", f"--include={PACKAGES}", *apt_settings())
        run_or_raise("mmdebstrap", *options, suite, str(made), mirror)
        made.rename(tar)
    return tar


def run_or_raise(*command: str) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BareRootError(f"{' '.join(command[:2])} failed: {done.stderr.strip()[-600:]}")


def pip_settings() -> str:
    """A pip.conf with this machine's index. Folders of this machine are left out: they are not in the root."""
    lines = ["[global]", f"cert = {CERTIFICATES}", "disable-pip-version-check = true"]
    for line in output_of("python3", "-m", "pip", "config", "list").splitlines():
        name, _, quoted = line.partition("=")
        key = name.rpartition(".")[2]
        if key in PIP_KEYS:
            addresses = [word for word in str(ast.literal_eval(quoted)).split() if not word.startswith("file:")]
            lines += [f"{key} = {' '.join(addresses)}"] if addresses else []
    return "\n".join(lines) + "\n"


def environment() -> dict[str, str]:
    """All variables that a command in a root gets from outside."""
    env = {"PATH": PATH, "LANG": "C.UTF-8", "TERM": "xterm-256color", "NODE_EXTRA_CA_CERTS": CERTIFICATES}
    env |= {name: os.environ[name] for name in PROXY_VARIABLES if name in os.environ}
    if shutil.which("npm"):
        env["npm_config_registry"] = output_of("npm", "config", "get", "registry").strip()
    return env


class BareRoot:
    """An unpacked root with a clone of this project in both homes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def argv(self, user: str, command: str) -> list[str]:
        """The command line that runs a shell command there; everything it starts ends with it."""
        namespaces = ("--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
        return ["unshare", *namespaces, "sh", str(TOOLS / "enter-bare-root"), str(self.folder), user, command]

    def prepare(self) -> None:
        """Set up what each machine has of its own: names, certificates, pip's index."""
        for name in ("resolv.conf", "hosts"):
            shutil.copyfile(Path("/etc") / name, self.folder / "etc" / name)
        (self.folder / "etc/pip.conf").write_text(pip_settings())
        own = self.folder / "usr/local/share/ca-certificates"
        own.mkdir(parents=True, exist_ok=True)
        for certificate in Path("/usr/local/share/ca-certificates").glob("**/*.crt"):
            shutil.copyfile(certificate, own / certificate.name)
        self.run_once("root", f"update-ca-certificates >/dev/null && useradd --create-home --shell /bin/sh {USER}")

    def clone_into_homes(self, source: Path) -> None:
        """Both homes are 0700, so that nobody else can read the clone: this reveals faults of processes that drop
        rights.
        """
        for user, home in (("root", "root"), (USER, f"home/{USER}")):
            clone = self.folder / home / "peloarena"
            run_or_raise("git", "clone", "--quiet", "--no-hardlinks", str(source), str(clone))
            run_or_raise("git", "-C", str(clone), "remote", "remove", "origin")
            (self.folder / home).chmod(0o700)
            self.run_once("root", f"chown --recursive {user}:{user} /{home}/peloarena")

    def run_once(self, user: str, command: str) -> None:
        done = subprocess.run(
            self.argv(user, command),
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise BareRootError(f"in the new root: {command}: {done.stderr.strip()[-600:]}")


@contextmanager
def bare_root(suite: str, source: Path, mirror: str | None = None) -> Iterator[BareRoot]:
    """A separate root for one test, removed afterwards."""
    if os.geteuid() != 0:
        raise BareRootError("only root can make and enter a bare root: run it with sudo")
    tar = cached_tar(suite, mirror)
    folder = Path(tempfile.mkdtemp(prefix=f"peloarena-{suite}-", dir="/var/tmp"))
    try:
        folder.chmod(0o755)
        run_or_raise("tar", "--extract", "--numeric-owner", "--file", str(tar), "--directory", str(folder))
        root = BareRoot(folder)
        root.prepare()
        root.clone_into_homes(source)
        yield root
    finally:
        # The mounts were made in their own namespaces and are gone with them: only our files are below.
        shutil.rmtree(folder)
