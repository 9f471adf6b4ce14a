"""Has libraries of its own loaded by whatever will load them: its `[env]`, programs it starts, programs of root's.

Beside it lie witness.so, which tells on stderr into whom it was loaded, a table of character sets that names it, and
locales that are nothing but rubbish.
"""

import os
import subprocess

from manners import play, sit

HERE = os.getcwd()
WITNESS = os.path.join(HERE, "witness.so")
VARIABLES = {
    "LD_PRELOAD": WITNESS,
    "LD_AUDIT": WITNESS,
    "GCONV_PATH": HERE,
    "LOCPATH": HERE,
}
PROGRAMS = (["/bin/true"], ["/usr/bin/su", "--version"], ["/usr/bin/iconv", "-f", "WITNESS", "-t", "UTF-8"])
"""An ordinary one, one that is root's where a kernel lets it be, one that asks for the character set."""


def run(words, variable):
    subprocess.run(
        words,
        env={**os.environ, "LANG": "xx_XX.UTF-8", variable: VARIABLES[variable]},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
    )


sit()
for name in VARIABLES:
    for program in PROGRAMS:
        run(program, name)
play("shot")
