"""Reads the other bot's code, process and environment, the store, the host's home, project and processes."""

import os

from manners import look, play, refuse, sandboxed, sit, targets, tried


def command_lines():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield file.read()
        except OSError:
            pass


def other_process():
    found = [line for line in command_lines() if b"./bot" in line or b"tournament" in line]
    return found or refuse()


def home():
    return sorted(set(os.listdir(aims["home"])) - set(aims["shown"])) or refuse()


def variables():
    return sorted(name for name in os.environ if "XDG" in name or "SECRET" in name or "PYTEST" in name) or refuse()


sandboxed()
sit()
aims = targets()
play(
    tried(
        code=lambda: os.listdir(aims["other"]),
        program=lambda: look(os.path.join(aims["other"], "bot.toml")),
        process=other_process,
        environment=lambda: look(f"/proc/{aims['referee']}/environ"),
        memory=lambda: look(f"/proc/{aims['referee']}/mem"),
        store=lambda: look(aims["store"]),
        home=home,
        project=lambda: os.listdir(aims["project"]),
        variables=variables,
        passwords=lambda: look("/etc/shadow"),
    )
)
