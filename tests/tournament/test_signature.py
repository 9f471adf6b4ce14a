"""A signed list: who vouches for an archive. With OpenSSH's own program and keys made here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from promises import SIGNATURES, needs

from peloarena.game import ConfigError
from peloarena.tournament.archive.manifest import MANIFEST, SIGNATURE, ArchiveError, write_with_manifest
from peloarena.tournament.archive.signature import NoOpenSSH, check_can_sign, check_signature, sign, signer_of

with_openssh = needs(SIGNATURES, shutil.which("ssh-keygen") is not None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_with_manifest(tmp_path / "a", [("night.json", b"{}\n")])
    return tmp_path / "a"


def key(folder: Path, name: str, kind: str = "ed25519") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", folder / name], check=True)
    return folder / name


def signers(folder: Path, **keys: Path) -> str:
    """A file of allowed signers."""
    file = folder / "signers"
    file.write_text("".join(f"{name} {path.with_suffix('.pub').read_text()}" for name, path in keys.items()))
    return str(file)


def both(folder: Path) -> tuple[bytes, bytes]:
    return (folder / MANIFEST).read_bytes(), (folder / SIGNATURE).read_bytes()


@with_openssh
@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_who_signed_is_told(folder: Path, tmp_path: Path, kind: str) -> None:
    host = key(tmp_path, "host", kind)
    sign(folder, str(host))
    check_signature(*both(folder))
    assert signer_of(*both(folder), signers(tmp_path, maria=key(tmp_path, "other"), anna=host)) == "anna"


@with_openssh
def test_a_stranger_is_no_signer(folder: Path, tmp_path: Path) -> None:
    sign(folder, str(key(tmp_path, "stranger")))
    known = signers(tmp_path, anna=key(tmp_path, "host"))
    with pytest.raises(ArchiveError, match=r"is not by anybody listed in .*signers"):
        signer_of(*both(folder), known)


@with_openssh
def test_a_signature_is_of_one_list(folder: Path, tmp_path: Path) -> None:
    host = key(tmp_path, "host")
    sign(folder, str(host))
    manifest, signature = both(folder)
    changed = manifest.replace(b"night", b"light")
    with pytest.raises(ArchiveError, match=r"MANIFEST\.json\.sig: does not sign this MANIFEST\.json: .*incorrect"):
        check_signature(changed, signature)
    with pytest.raises(ArchiveError, match="does not sign this"):
        signer_of(changed, signature, signers(tmp_path, anna=host))


@with_openssh
def test_a_signature_for_something_else_does_not_count(folder: Path, tmp_path: Path) -> None:
    host = key(tmp_path, "host")
    manifest = (folder / MANIFEST).read_bytes()
    words = ["ssh-keygen", "-Y", "sign", "-f", host, "-n", "git"]
    signature = subprocess.run(words, input=manifest, capture_output=True, check=True).stdout
    with pytest.raises(ArchiveError, match="does not sign this"):
        check_signature(manifest, signature)


@with_openssh
def test_a_changed_byte_of_the_signature_is_found(folder: Path, tmp_path: Path) -> None:
    """Every seventh is tried: each takes a process."""
    sign(folder, str(key(tmp_path, "host")))
    manifest, signature = both(folder)
    for place in [*range(0, len(signature), 7), len(signature) - 1]:
        changed = signature[:place] + bytes([signature[place] ^ 1]) + signature[place + 1 :]
        with pytest.raises(ArchiveError, match=r"^MANIFEST\.json\.sig: "):
            check_signature(manifest, changed)


@pytest.mark.parametrize("junk", [b"", b"\xff", b"-----BEGIN SSH SIGNATURE-----\n", b"a\nb\nc\n"])
def test_junk_is_no_signature(junk: bytes) -> None:
    with pytest.raises(ArchiveError, match=r"^MANIFEST\.json\.sig: "):
        check_signature(b"", junk)


@with_openssh
def test_a_key_that_is_not_there_is_the_users_mistake(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--sign '.*nokey': .*No such file"):
        sign(folder, str(tmp_path / "nokey"))


@with_openssh
def test_signers_that_are_not_there_are_the_users_mistake(folder: Path, tmp_path: Path) -> None:
    sign(folder, str(key(tmp_path, "host")))
    with pytest.raises(ConfigError, match=r"--signers '.*nobody': no such file"):
        signer_of(*both(folder), str(tmp_path / "nobody"))


def test_without_openssh_one_line_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoOpenSSH, match=r"signatures need OpenSSH, .*openssh-client"):
        sign(folder, "key")


def test_a_missing_key_is_reported_before_a_missing_openssh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"--sign '.*nokey': no such file"):
        check_can_sign(str(tmp_path / "nokey"))
    (tmp_path / "key").touch()
    with pytest.raises(NoOpenSSH):
        check_can_sign(str(tmp_path / "key"))
