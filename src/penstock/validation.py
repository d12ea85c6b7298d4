"""From a table of settings to a Scenario, or to one message a user can act on."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from penstock.bulk_sections import TransferEntry
from penstock.errors import BadInput
from penstock.fault_sections import LinkLoss, Reroute
from penstock.flow_sections import FlowEntry
from penstock.interference_sections import InterferenceInterval, InterferenceSource
from penstock.scenario import Scenario

Kinds = dict[str, type[BaseModel]]


def _kinds(section: str) -> Kinds:
    """The models of a section that has several, by kind; none of a section that has one."""
    members = get_args(Scenario.model_fields[section].annotation)
    models = [m for m in members if isinstance(m, type) and issubclass(m, BaseModel)]
    return {str(m.model_fields["kind"].default): m for m in models if "kind" in m.model_fields}


KINDS: dict[str, Kinds] = {name: _kinds(name) for name in Scenario.model_fields if _kinds(name)}
"""Sections whose keys depend on their kind: topology, traffic."""


ROWS: dict[str, type[BaseModel]] = {
    "traffic.flows": FlowEntry,
    "transfers": TransferEntry,
    "faults.link_loss": LinkLoss,
    "faults.reroute": Reroute,
    "interference": InterferenceSource,
    "interference.schedule": InterferenceInterval,
}
"""Keys whose value is a list of tables, with the model of each."""


def validated(settings: Mapping[str, object], source: str) -> Scenario:
    """The scenario that `settings` describe. BadInput names `source` (the file), the key and what is
    allowed."""
    try:
        return Scenario.model_validate(dict(settings))
    except ValidationError as error:
        messages = [_explain(detail) for detail in _merged(error.errors())]
        raise BadInput("\n".join(f"{source}: {message}" for message in messages)) from None


def allowed_keys(settings: Mapping[str, object]) -> list[str]:
    """Every dotted key a scenario with these settings may have (axes aside), sections in order."""
    keys: list[str] = []
    for name in Scenario.model_fields:
        if name == "axes":
            continue
        model = _model_in(settings, name) if name in KINDS else _section_model(name)
        keys += [name] if model is None else [f"{name}.{key}" for key in model.model_fields]
    return keys


def _model_in(settings: Mapping[str, object], section: str) -> type[BaseModel] | None:
    """The model of the kind that the settings name, the default kind where they name none; None for a kind
    that does not exist."""
    table = settings.get(section)
    kind: object = Scenario.model_fields[section].default.kind
    if isinstance(table, Mapping):
        kind = cast(Mapping[str, object], table).get("kind", kind)
    return KINDS[section].get(str(kind))


def nearest(word: str, allowed: list[str]) -> str:
    """'; did you mean "X"?' when something allowed is close to `word`, else nothing."""
    close = difflib.get_close_matches(word, allowed, n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


def _explain(detail: ErrorDetails) -> str:
    path = _dotted(detail["loc"])
    kind, value = detail["type"], detail["input"]
    if kind == "extra_forbidden":
        return _unknown_key(path, detail["loc"])
    if kind == "missing":
        return f'"{path}" is missing'
    if kind == "union_tag_not_found":
        return f'"{path}.kind" is missing; it is one of {_listed(KINDS[path])}'
    if kind == "union_tag_invalid":
        given = str(cast(dict[str, Any], value).get("kind"))
        return (
            f'"{path}.kind" is "{given}"{nearest(given, list(KINDS[path])) or ";"} '
            f"It is one of {_listed(KINDS[path])}"
        )
    if kind == "literal_error":
        allowed = str(detail.get("ctx", {}).get("expected", "")).replace("'", "")
        words = allowed.replace(" or ", ", ").split(", ")
        return f'"{path}" is {value!r}{nearest(str(value), words) or ";"} Allowed: {allowed}'
    message = detail["msg"].removeprefix("Value error, ")
    if kind == "value_error":
        return f'"{path}": {message}' if path else message
    if kind in ("model_type", "model_attributes_type"):
        return f'"{path}" is {value!r} but should be a section, a table of keys'
    _, should, rule = message.partition(" should ")  # "Input should be ...", "String should have ..."
    return f'"{path}" is {value!r} but should {rule}' if should else f'"{path}" is {value!r}: {message}'


def _merged(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """One error a value: Pydantic tells of every type that a value could have had and had not."""
    groups: dict[tuple[int | str, ...], list[ErrorDetails]] = {}
    for detail in details:
        groups.setdefault(_value_place(detail["loc"]), []).append(detail)
    return [_one_of(group, place) for place, group in groups.items()]


def _value_place(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Where the value stands that an error is about, without the type of a union that was tried."""
    if location[:1] == ("axes",):
        return location[:3]  # the section, the swept key, and which of its values
    tried = next(
        (at for at in range(_after_key(location), len(location)) if isinstance(location[at], str)), None
    )
    return location[:tried]


def _after_key(location: tuple[int | str, ...]) -> int:
    """How many parts of the location name the key: the section, its kind where it has several, the key; in a
    list of tables the place and the key there."""
    path = list(location)
    of_a_kind = len(path) > 1 and path[1] in KINDS.get(str(path[0]), {})
    if of_a_kind:
        del path[1]
    named = 1 if _row_key(path[:1]) in ROWS else 2
    while len(path) >= named and _row_key(path[:named]) in ROWS:
        named += 2
    return named + of_a_kind


def _row_key(parts: Sequence[int | str]) -> str:
    """ "interference.schedule" from ("interference", 0, "schedule", 1)."""
    return ".".join(str(part) for part in parts if not str(part).isdigit())


def _one_of(group: list[ErrorDetails], place: tuple[int | str, ...]) -> ErrorDetails:
    if len(group) == 1:
        return group[0] if group[0]["loc"] == place else cast(ErrorDetails, {**group[0], "loc": place})
    ruled = next((detail for detail in group if not detail["type"].endswith("_type")), None)
    if ruled is not None:  # it has one of the types, but not a value that this one may have
        return cast(ErrorDetails, {**ruled, "loc": place})
    inner = [detail for detail in group if any(isinstance(part, int) for part in detail["loc"][len(place) :])]
    if inner and place[:1] != ("axes",):  # it is a list, with a member of the wrong type
        which = next(part for part in inner[0]["loc"][len(place) :] if isinstance(part, int))
        group, place = inner, (*place, which)
    rules = [detail["msg"].removeprefix("Input should be ") for detail in group]
    rule = " or ".join(dict.fromkeys(rules))
    if place[:1] == ("axes",):
        rule = "a number, text, true or false, or a list of numbers or names"
    whole = min(group, key=lambda detail: len(detail["loc"]))
    return cast(ErrorDetails, {**whole, "loc": place, "msg": f"Input should be {rule}"})


def _unknown_key(path: str, location: tuple[int | str, ...]) -> str:
    section, _, key = path.rpartition(".")
    row = ROWS.get(_row_key(section.split(".")))
    if row is not None:
        allowed = list(row.model_fields)
        return f'unknown key "{path}"{nearest(key, allowed) or ";"} Allowed there: {", ".join(allowed)}'
    kinds = KINDS.get(section, {})
    owners = [name for name, model in kinds.items() if key in model.model_fields]
    if owners:
        return f'unknown key "{path}" for this kind of {section}; it belongs to {_listed(owners)}'
    model = kinds[str(location[1])] if kinds else _section_model(section) if section else Scenario
    allowed = list((model or Scenario).model_fields)
    elsewhere = [k for k in allowed_keys({}) if k.endswith(f".{key}") and k != path]
    hint = nearest(key, [name for name in allowed if name != key]) or (
        f'; "{elsewhere[0]}" is one' if elsewhere else ""
    )
    where = f"[{section}]" if section else "a scenario"
    return f'unknown key "{path}"{hint or ";"} Allowed in {where}: {", ".join(allowed)}'


def _dotted(location: tuple[int | str, ...]) -> str:
    """ "topology.file" from Pydantic's ("topology", "gain_file", "file")."""
    parts = list(location)
    if len(parts) > 1 and parts[1] in KINDS.get(str(parts[0]), {}):
        del parts[1]
    if parts and parts[0] == "axes":
        parts = parts[:2]
    return ".".join(str(part) for part in parts)


def _section_model(name: str) -> type[BaseModel] | None:
    """The model of one section, None when the key is a plain value or depends on the section's kind."""
    field = Scenario.model_fields.get(name)
    annotation = field.annotation if field else None
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _listed(names: Mapping[str, object] | list[str]) -> str:
    return ", ".join(names)
