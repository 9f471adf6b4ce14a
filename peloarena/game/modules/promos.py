"""Promos: Mycenae, Rhodes and Antioch join the draw of civilizations. Nothing but data."""

from ..module import Module

PROMOS = Module(
    name="promos",
    summary="three more civilizations: Mycenae, Rhodes, Antioch",
    brings="Mycenae, Rhodes, Antioch",
    sets=("promos",),
)
