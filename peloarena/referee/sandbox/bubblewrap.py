"""The bwrap command line: a sandbox with new namespaces, the bot at /bot, and nothing of the host but runtimes.

Builds argv only; starts nothing and knows no cgroups. Without --as-pid-1, on purpose. Bubblewrap's own process stays
process 1, so that
- the bot cannot take back the parent-death signal (it is process 1's, and a bot dropped to another uid would lose
  its own), and abort() and SIGTERM work as everywhere (process 1 ignores signals it has no handler for);
- orphans are reaped, so their CPU time reaches the ancestors' counters: with --as-pid-1 it is lost with the zombie.
It costs about 0.6 ms at the start; process 1 itself uses no CPU afterwards (spec/SECURITY.md).
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from . import runtimes
from .base_mounts import DEVICE_LINKS, DEVICES
from .limits import MIB
from .show_option import search_path

PROC_LOCKS_FILES = ("/proc/locks",)
INIT_MEMORY_FILES = ("/proc/1/mem", "/proc/1/task/1/mem")
BOT_MOUNT = "/bot"
OUT_MOUNT = "/out"
"""Where a writable folder outside the bot's own is mounted."""
BWRAP_PROCESS_COUNT = 2
"""The sandbox's own processes, outside and inside, in addition to the bot's limit. Without them a bot that asks for a
single process could never start, and the machine would be blamed."""
HOSTNAME = "arena"
DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
OFFLINE_VARIABLES = {
    "CARGO_NET_OFFLINE": "true",
    "GOPROXY": "off",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_RETRIES": "0",
    "YARN_ENABLE_NETWORK": "0",
    "npm_config_offline": "true",
    "npm_config_update_notifier": "false",
}
"""For builds: tools that would wait minutes for a missing network fail at once."""
SETPRIV_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
"""What setpriv needs to give up the rest, when the host is root."""


class SandboxTools(msgspec.Struct, frozen=True):
    """The programs found on this machine, and what they can do."""

    bwrap: str
    setpriv: str | None
    has_size_option: bool
    """bwrap knows --size (0.7)."""
    has_disable_userns_option: bool
    """bwrap knows --disable-userns (0.8)."""


class BwrapOptions(msgspec.Struct, frozen=True):
    """What one bot's sandbox looks like."""

    bot_dir: Path
    tmp_mib: int
    memory_mib: int
    uid: int | None = None
    """The host's uid to run as, when the host is root; None: a user namespace."""
    writable: Path | None = None
    network: bool = False
    extra_runtimes: tuple[Path, ...] = ()
    """More runtimes, shown where they are."""
    passwd_fd: int | None = None
    """An open file with the text for /etc/passwd."""
    filter_fd: int | None = None
    """An open file with the seccomp program."""
    status_fd: int | None = None
    """Where bwrap reports, as JSON, how the bot ended; empty if bwrap never started it."""
    single_file: Path | None = None
    """If the bot is not a folder, the one file of bot_dir that is visible."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The descriptors that bwrap inherits. It reads two of them to their end, so each start needs new ones."""
        return tuple(number for number in (self.passwd_fd, self.filter_fd, self.status_fd) if number is not None)


def bot_environment(memory_mib: int, extra_path_folders: Iterable[str] = ()) -> dict[str, str]:
    """The bot's whole environment. Two entries keep JVM and Node, which adapt to the size of the host, within the
    limits.

    A JVM writes warnings to stdout, for example when it gets no more threads, and there they would be malformed
    messages. Java 8 has no -Xlog, and does not read JDK_JAVA_OPTIONS either.
    """
    cores = min(os.cpu_count() or 1, 2)
    return {
        "PATH": os.pathsep.join(
            (*extra_path_folders, DEFAULT_PATH)
        ),  # first: a cargo in a shown folder needs the rustc next to it
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={memory_mib}m -XX:MaxRAMPercentage=50 -XX:ActiveProcessorCount={cores}",
        "JDK_JAVA_OPTIONS": "-Xlog:disable -Xlog:all=warning:stderr",
        "NODE_OPTIONS": f"--max-old-space-size={max(memory_mib * 3 // 4, 1)}",
        "PYTHONPATH": runtimes.python_path(),
    }


def passwd_content(uid: int) -> bytes:
    """JVM and Node ask for the user's name and home."""
    return f"bot:x:{uid}:{uid}:bot:/tmp:/bin/sh\n".encode()


def open_memory_file(name: str, content: bytes) -> int:
    """Returns an open file that is nowhere on disk, ready to be read."""
    descriptor = os.memfd_create(name)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def command(tools: SandboxTools, options: BwrapOptions, argv: list[str], cwd_in_bot: str) -> list[str]:
    """The whole argv; `cwd_in_bot` is the working directory below /bot."""
    return [
        tools.bwrap,
        *_namespace_args(tools, options),
        *_private_file_args(tools, options),  # first: an interpreter under the host's /tmp is then shown inside it
        *_host_file_args(options),
        *_bot_mount_args(options),
        *_remount_read_only_args(),
        *_environment_args(_sandbox_variables(options)),
        *([] if options.filter_fd is None else ["--seccomp", str(options.filter_fd)]),
        *([] if options.status_fd is None else ["--json-status-fd", str(options.status_fd)]),
        *("--chdir", os.path.normpath(f"{BOT_MOUNT}/{cwd_in_bot}")),
        "--",
        *_setpriv_command(tools, options),
        *argv,
    ]


def _namespace_args(tools: SandboxTools, options: BwrapOptions) -> list[str]:
    spaces = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    network = [] if options.network else ["--unshare-net"]
    return [
        *spaces,
        *network,
        "--hostname",
        HOSTNAME,
        "--die-with-parent",
        "--new-session",
        *_privilege_args(tools, options),
    ]


def _privilege_args(tools: SandboxTools, options: BwrapOptions) -> list[str]:
    if options.uid is None:
        # No further user namespaces: in one of its own, a bot is root over mounts and networks.
        return ["--unshare-user", *(["--disable-userns"] if tools.has_disable_userns_option else [])]
    kept = [word for name in SETPRIV_CAPABILITIES for word in ("--cap-add", name)]
    return ["--cap-drop", "ALL", *kept]


def _setpriv_command(tools: SandboxTools, options: BwrapOptions) -> list[str]:
    """Switches from root to the bot's own uid, for good. bwrap has set no_new_privs already."""
    if options.uid is None or tools.setpriv is None:
        return []
    who = ["--reuid", str(options.uid), "--regid", str(options.uid), "--clear-groups"]
    return [tools.setpriv, *who, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]


def _host_file_args(options: BwrapOptions) -> list[str]:
    unmoved = (
        *runtimes.system_folders(),
        *runtimes.etc_paths(network=options.network),
        *runtimes.var_folders(),
        *options.extra_runtimes,
    )
    shown = [*((path, path) for path in unmoved), *runtimes.interpreter_mounts()]
    links = [word for target, link in runtimes.system_links() for word in ("--symlink", target, link)]
    binds = [word for source, target in shown for word in ("--ro-bind", str(source), str(target))]
    return [*links, *_parent_folder_args([target for _, target in shown]), *binds]


def _parent_folder_args(paths: list[Path]) -> list[str]:
    """Creates parents explicitly: bubblewrap makes missing ones readable by root only. /tmp keeps its own mode."""
    parents = {parent for path in paths for parent in path.parents} - {Path("/"), Path("/tmp")}
    return [word for parent in sorted(parents) for word in ("--perms", "0755", "--dir", str(parent))]


def _private_file_args(tools: SandboxTools, options: BwrapOptions) -> list[str]:
    size = ["--size", str(options.tmp_mib * MIB)] if tools.has_size_option else []
    bounded = [word for path in ("/tmp", "/dev/shm") for word in ("--perms", "1777", *size, "--tmpfs", path)]
    names = (
        []
        if options.passwd_fd is None
        else ["--perms", "0444", "--ro-bind-data", str(options.passwd_fd), "/etc/passwd"]
    )
    covered = [word for path in _covered_proc_files(options) for word in ("--ro-bind", "/dev/null", path)]
    return ["--proc", "/proc", *_device_args(), *covered, *bounded, *names]


def _device_args() -> list[str]:
    """What bubblewrap's own --dev has, without pseudo-terminals (base_mounts.py says why)."""
    devices = [word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    links = [word for target, link in DEVICE_LINKS for word in ("--symlink", target, link)]
    return ["--perms", "0755", "--tmpfs", "/dev", *devices, *links]


def _covered_proc_files(options: BwrapOptions) -> tuple[str, ...]:
    """Files of /proc that a bot may not open: the locks of all sandboxes; and, where process 1 has the bot's uid, the
    memory of process 1. With that, a bot could keep bubblewrap from reporting how it ended, and so have a lost game
    played again."""
    return PROC_LOCKS_FILES if options.uid is not None else (*PROC_LOCKS_FILES, *INIT_MEMORY_FILES)


def _bot_mount_args(options: BwrapOptions) -> list[str]:
    if options.single_file is not None:
        return [
            "--perms",
            "0755",
            "--dir",
            BOT_MOUNT,
            "--ro-bind",
            str(options.single_file),
            f"{BOT_MOUNT}/{options.single_file.name}",
        ]
    shown = ["--ro-bind", str(options.bot_dir), BOT_MOUNT]
    if options.writable is None:
        return shown
    if not options.writable.is_relative_to(options.bot_dir):
        return [*shown, "--bind", str(options.writable), OUT_MOUNT]
    inside = os.path.normpath(f"{BOT_MOUNT}/{options.writable.relative_to(options.bot_dir)}")
    return [*shown, "--bind", str(options.writable), inside]


def _remount_read_only_args() -> list[str]:
    """The root and /dev are tmpfs without a size limit, and in a user namespace the bot owns them."""
    return ["--remount-ro", "/dev", "--remount-ro", "/"]


def _sandbox_variables(options: BwrapOptions) -> dict[str, str]:
    offline = OFFLINE_VARIABLES if options.writable and not options.network else {}
    return {**bot_environment(options.memory_mib, search_path(options.extra_runtimes)), **offline}


def _environment_args(variables: Mapping[str, str]) -> list[str]:
    return ["--clearenv", *(word for name, value in variables.items() for word in ("--setenv", name, value))]
