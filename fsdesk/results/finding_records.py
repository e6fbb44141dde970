"""What was found out about a subset, as plain values and arrays that a project file keeps, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from fsdesk.engine.events import pack_masks, unpack_masks
from fsdesk.methods import Mask
from fsdesk.results.diagnosis import Diagnosis, Judged
from fsdesk.results.peers import Peer, Peers
from fsdesk.results.roc import GRID, RocCurve
from fsdesk.results.singles import Singles

__all__ = ["kept_findings", "packed_findings"]

_VERSION = 2


def packed_findings(peers: Peers, diagnosis: Diagnosis, singles: Singles) -> dict[str, Any]:
    """All that is known of a subset, as :meth:`fsdesk.store.Project.keep_findings` keeps it."""
    values: dict[str, Any] = {
        "version": _VERSION,
        "done": diagnosis.done,
        "total": diagnosis.total,
        "fresh": diagnosis.fresh,
        "held_out": diagnosis.held_out,
        "target": diagnosis.target,
        "classes": diagnosis.classes,
        "response": diagnosis.response,
        "places": singles.places,
        "alone": singles.losses,
        "f": singles.f,
        "information": singles.information,
    }
    return values | _of_peers(peers) | _of_judged("chosen", diagnosis.chosen) | _of_judged("all", diagnosis.everything)


def kept_findings(values: Mapping[str, Any], mask: Mask) -> tuple[Peers, Diagnosis, Singles] | None:
    """Undo :func:`packed_findings` of this subset; None for what another version of fsdesk has kept."""
    if values.get("version") != _VERSION:
        return None
    diagnosis = Diagnosis(
        mask=mask,
        done=values["done"],
        total=values["total"],
        fresh=values["fresh"],
        chosen=_judged("chosen", values),
        everything=_judged("all", values),
        target=values["target"],
        classes=tuple(values["classes"]),
        response=values["response"],
        held_out=values["held_out"],
    )
    singles = Singles(values["places"], values["alone"], values["f"], values["information"])
    return _peers(values), diagnosis, singles


def _of_peers(peers: Peers) -> dict[str, Any]:
    return {
        "peer_masks": pack_masks([peer.mask for peer in peers.shown]),
        "peer_errors": np.array([peer.error for peer in peers.shown]),
        "peer_times": np.array([peer.times for peer in peers.shown], dtype=np.int64),
        "answer": next((place for place, peer in enumerate(peers.shown) if peer.answer), -1),
        "number": peers.number,
        "measured": peers.measured,
        "limit": peers.limit,
        "frequency": peers.frequency,
    }


def _peers(values: Mapping[str, Any]) -> Peers:
    frequency = values["frequency"]
    masks = unpack_masks(values["peer_masks"], len(frequency))
    parts = zip(masks, values["peer_errors"].tolist(), values["peer_times"].tolist(), strict=True)
    shown = tuple(Peer(mask, error, times, at == values["answer"]) for at, (mask, error, times) in enumerate(parts))
    return Peers(shown, values["number"], values["measured"], values["limit"], frequency)


def _of_judged(name: str, judged: Judged) -> dict[str, Any]:
    curves = judged.curves
    return {
        f"{name}_losses": judged.losses,
        f"{name}_confusion": judged.confusion,
        f"{name}_predicted": judged.predicted,
        f"{name}_refusal": judged.refusal,
        f"{name}_curve_names": [curve.name for curve in curves],
        f"{name}_curve_means": np.array([curve.mean for curve in curves]).reshape(-1, len(GRID)),
        f"{name}_curve_deviations": np.array([curve.deviation for curve in curves]).reshape(-1, len(GRID)),
        f"{name}_areas": np.array([(curve.area, curve.area_deviation) for curve in curves]).reshape(-1, 2),
    }


def _judged(name: str, values: Mapping[str, Any]) -> Judged:
    parts = zip(
        values[f"{name}_curve_names"],
        values[f"{name}_curve_means"],
        values[f"{name}_curve_deviations"],
        values[f"{name}_areas"].tolist(),
        strict=True,
    )
    return Judged(
        losses=values[f"{name}_losses"],
        confusion=values[f"{name}_confusion"],
        curves=tuple(RocCurve(curve, mean, deviation, *areas) for curve, mean, deviation, areas in parts),
        predicted=values[f"{name}_predicted"],
        refusal=values[f"{name}_refusal"],
    )
