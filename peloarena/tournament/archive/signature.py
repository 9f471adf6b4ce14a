"""Sign MANIFEST.json with an SSH key, to show who vouches for an archive; uses OpenSSH's own `ssh-keygen -Y`.

To verify, a reader needs a file of allowed signers (man ssh-keygen, ALLOWED SIGNERS). Knows no tournament.
"""

from __future__ import annotations

import base64
import binascii
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...game import ConfigError
from .manifest import MANIFEST, SIGNATURE, ArchiveError

NAMESPACE = "peloarena-archive"
"""Part of the signature, so that one made for another purpose cannot pass as an archive's."""
PROGRAM = "ssh-keygen"
SSH_KEYGEN_SECONDS = 30.0
"""Verifying prompts nobody, but signing may wait for a passphrase."""
BEGIN_LINE, END_LINE = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
BASE64_COLUMNS = 70


class NoOpenSSH(ConfigError):
    """OpenSSH is missing, the one thing that signing needs besides Python."""

    def __init__(self) -> None:
        super().__init__(f"signatures need OpenSSH, and {PROGRAM!r} was not found (Debian: openssh-client)")


def check_can_sign(key: str) -> None:
    """As far as possible before there is anything to sign. The key comes first: a typo needs no installation."""
    if not Path(key).is_file():
        raise ConfigError(f"--sign {key!r}: no such file")
    if shutil.which(PROGRAM) is None:
        raise NoOpenSSH


def sign(folder: Path, key: str) -> Path:
    """Sign the list of a finished archive; ConfigError with ssh-keygen's message if the key does not work."""
    content = (folder / MANIFEST).read_bytes()
    done = _run("sign", "-f", key, "-n", NAMESPACE, input=content, seconds=None)
    if done.returncode:
        raise ConfigError(f"--sign {key!r}: {_last_line(done.stderr)}")
    (folder / SIGNATURE).write_bytes(done.stdout)
    return folder / SIGNATURE


def check_signature(manifest: bytes, signature: bytes) -> None:
    """Check that this is a signature of this list, by any signer."""
    check_signature_encoding(signature)
    with _signature_file(signature) as path:
        done = _run("check-novalidate", "-n", NAMESPACE, "-s", path, input=manifest)
    if done.returncode:
        raise ArchiveError(SIGNATURE, f"does not sign this {MANIFEST}: {_last_line(done.stderr or done.stdout)}")


def signer_of(manifest: bytes, signature: bytes, signers: str) -> str:
    """The signer's name in the file of allowed signers."""
    check_signature_encoding(signature)
    if not Path(signers).is_file():
        raise ConfigError(f"--signers {signers!r}: no such file")
    with _signature_file(signature) as path:
        known = _run("find-principals", "-f", signers, "-s", path, input=b"")
        name = known.stdout.decode(errors="replace").partition("\n")[0].strip()
        if known.returncode or not name:
            raise ArchiveError(SIGNATURE, f"is not by anybody listed in {signers}")
        done = _run("verify", "-f", signers, "-I", name, "-n", NAMESPACE, "-s", path, input=manifest)
    if done.returncode:
        raise ArchiveError(SIGNATURE, f"does not sign this {MANIFEST}: {_last_line(done.stderr or done.stdout)}")
    return name


def check_signature_encoding(signature: bytes) -> None:
    """The signature must be encoded as ssh-keygen writes it: otherwise a byte could change without invalidating it."""
    try:
        lines = signature.decode("ascii").split("\n")
        blob = base64.b64decode("".join(lines[1:-2]), validate=True)
    except (UnicodeDecodeError, binascii.Error):
        raise ArchiveError(SIGNATURE, "is not a signature by ssh-keygen") from None
    text = base64.b64encode(blob).decode()
    body = [text[start : start + BASE64_COLUMNS] for start in range(0, len(text), BASE64_COLUMNS)]
    if lines != [BEGIN_LINE, *body, END_LINE, ""]:
        raise ArchiveError(SIGNATURE, "is not in the exact form that ssh-keygen writes")


def _run(
    *arguments: str, input: bytes, seconds: float | None = SSH_KEYGEN_SECONDS
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run([PROGRAM, "-Y", *arguments], input=input, capture_output=True, timeout=seconds)
    except FileNotFoundError:
        raise NoOpenSSH from None
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{PROGRAM} did not end within {SSH_KEYGEN_SECONDS:.0f} s") from None


@contextmanager
def _signature_file(signature: bytes) -> Iterator[str]:
    """ssh-keygen reads the signature from a file, and the one in the archive could change in the meantime."""
    with tempfile.NamedTemporaryFile(prefix="peloarena-", suffix=".sig") as file:
        file.write(signature)
        file.flush()
        yield file.name


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no output of ssh-keygen"
