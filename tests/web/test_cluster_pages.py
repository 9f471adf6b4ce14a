"""The page of a night that is played on a cluster: what guests need to know, and no names of machines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from little_tournament import made

from peloarena.tournament.heartbeat import ClusterStatus, HeartbeatWriter
from peloarena.tournament.store import Store
from peloarena.web.channel import GetStateUpdate
from peloarena.web.tournament_source import TournamentSource
from peloarena.web.web_tournament import WebTournament

NIGHT = 'name = "Friday"\nbots = ["a", "b"]\ndeals = 2\nseed = "s"\n'


def test_a_night_that_waits_for_machines_says_so_and_tells_no_time(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", NIGHT, ["a", "b"], most=2)
    now = [ClusterStatus(waits_for="the scheduler at tls://arena:8786: it went away")]
    hall = WebTournament()
    with Store.open_to_play(path) as store, closing(TournamentSource(path)) as source:
        store.lock()
        heart = HeartbeatWriter(path, 2, lambda: now[0])
        heart._write()
        hall.apply_update(source.get_update(GetStateUpdate(0, 0, 0)))
        assert hall.alert_text() == "Waiting for machines of the cluster."
        assert hall.time_left() == ""
        now[0] = ClusterStatus()
        heart._write()
        hall.apply_update(source.get_update(hall.make_request()))
    assert hall.alert_text() == ""
