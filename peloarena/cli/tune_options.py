"""`--param NAME=LO..HI[@START][:int]` of `peloarena tune`: text → a Parameter, checked against the bot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..game import ConfigError
from ..referee.bot_env import check_env
from ..tournament.tuning.spsa import Parameter

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
PARAM_PATTERN = re.compile(rf"(\w+)=({NUMBER})\.\.({NUMBER})(?:@({NUMBER}))?(:int)?")
PARAM_EXAMPLE = "for example --param RISK=0..1, --param RISK=0..1@0.3 or --param DEPTH=1..8:int"


def parameters_of(texts: Sequence[str], env: Mapping[str, str]) -> tuple[Parameter, ...]:
    """`env`: the bot's own variables, whose values are the start of a parameter by default."""
    parameters = tuple(parameter_of(text, env) for text in texts)
    names = [parameter.name for parameter in parameters]
    if repeated := next((name for name in names if names.count(name) > 1), ""):
        raise ConfigError(f"--param {repeated}: given twice")
    check_env({parameter.name: parameter.text(1.0) for parameter in parameters} | dict(env), "--param")
    return parameters


def parameter_of(text: str, env: Mapping[str, str]) -> Parameter:
    match = PARAM_PATTERN.fullmatch(text.replace(" ", ""))
    if match is None:
        raise ConfigError(f"--param {text!r}: expected a name, the lowest and the highest value, {PARAM_EXAMPLE}")
    name, low, high, start, whole = match[1], float(match[2]), float(match[3]), match[4], match[5] is not None
    if not low < high:
        raise ConfigError(f"--param {text!r}: put the lowest value first, {PARAM_EXAMPLE}")
    if whole and not (low.is_integer() and high.is_integer()):
        raise ConfigError(f"--param {text!r}: with :int the bounds must be whole numbers")
    first_value = start_value(text, env.get(name, ""), start, (low + high) / 2)
    if not low <= first_value <= high:
        raise ConfigError(f"--param {text!r}: its start, {first_value:g}, is not within {low:g} to {high:g}")
    return Parameter(name, low, high, first_value, whole)


def start_value(text: str, set_in_bot: str, given: str | None, middle: float) -> float:
    """The given value; otherwise the one in bot.toml; otherwise the middle."""
    if given is not None:
        return float(given)
    if not set_in_bot:
        return middle
    try:
        return float(set_in_bot)
    except ValueError:
        raise ConfigError(f"--param {text!r}: bot.toml sets it to {set_in_bot!r}, which is not a number") from None
