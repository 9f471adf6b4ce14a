"""Certificates of a tournament's own: who may be named, and what a second call leaves as it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from peloarena.cluster.certificates import make_certificates
from peloarena.game import ConfigError


@pytest.mark.parametrize("name", ["ca", "ca-key", "../blue", ".blue", "", "b/lue"])
def test_no_member_is_named_like_the_ca_or_a_place_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="member"):
        make_certificates(tmp_path / "keys", [name], datetime.now(UTC))
    assert not (tmp_path / "keys").exists()


def test_more_members_are_made_by_the_same_ca_and_nobodys_file_is_replaced(tmp_path: Path) -> None:
    make_certificates(tmp_path, ["blue"], datetime.now(UTC))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert make_certificates(tmp_path, ["blue", "green"], datetime.now(UTC)) == [tmp_path / "green.pem"]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.name != "green.pem"} == before
    keys = {file.name for file in tmp_path.iterdir() if file.stat().st_mode & 0o777 == 0o600}
    assert keys >= {"ca-key.pem", "host.pem", "blue.pem", "green.pem"}
