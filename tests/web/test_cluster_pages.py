"""The page of a tournament that is played on a cluster: what guests need to know, and no names of machines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from little_tournament import made

from peloarena.tournament.heartbeat import ClusterStatus, HeartbeatWriter
from peloarena.tournament.store import Store
from peloarena.web.channel import GetStateUpdate
from peloarena.web.tournament_source import TournamentSource
from peloarena.web.web_tournament import WebTournament

TOURNAMENT = 'name = "Friday"\nbots = ["a", "b"]\ndeals = 2\nseed = "s"\n'


def test_a_tournament_that_waits_for_machines_says_so_and_tells_no_time(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=2)
    now = [ClusterStatus(waits_for="the scheduler at tls://arena:8786: the connection was lost")]
    web_tournament = WebTournament()
    with Store.open_to_play(path) as store, closing(TournamentSource(path)) as source:
        store.lock()
        writer = HeartbeatWriter(path, 2, lambda: now[0])
        writer._write()
        web_tournament.apply_update(source.get_update(GetStateUpdate(0, 0, 0)))
        assert web_tournament.alert_text() == "Waiting for the machines of the cluster."
        assert web_tournament.time_left() == ""
        now[0] = ClusterStatus()
        writer._write()
        web_tournament.apply_update(source.get_update(web_tournament.make_request()))
    assert web_tournament.alert_text() == ""
