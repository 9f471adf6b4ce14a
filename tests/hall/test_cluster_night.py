"""The page of a night that is played on a cluster: what guests need to know, and no names of machines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from little_night import made

from peloarena.tournament.pulse import ClusterNow, Heart
from peloarena.tournament.store import Store
from peloarena.web.channel import Look
from peloarena.web.hall_night import HallNight
from peloarena.web.night_source import NightSource

NIGHT = 'name = "Friday"\nbots = ["a", "b"]\ndeals = 2\nseed = "s"\n'


def test_a_night_that_waits_for_machines_says_so_and_tells_no_time(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", NIGHT, ["a", "b"], most=2)
    now = [ClusterNow(waits_for="the scheduler at tls://arena:8786: it went away")]
    hall = HallNight()
    with Store.begin(path) as store, closing(NightSource(path)) as source:
        store.lock()
        heart = Heart(path, 2, lambda: now[0])
        heart._tell()
        hall.take(source.look(Look(0, 0, 0)))
        assert hall.alarm() == "Waiting for machines of the cluster."
        assert hall.time_left() == ""
        now[0] = ClusterNow()
        heart._tell()
        hall.take(source.look(hall.wish()))
    assert hall.alarm() == ""
