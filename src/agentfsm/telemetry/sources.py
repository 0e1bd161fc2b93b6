"""Sources: the tracer and the instruments of a telemetry, and whether anybody listens to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from attrs import frozen
from opentelemetry import metrics, trace

from agentfsm.telemetry.meters import Meters

if TYPE_CHECKING:
    from agentfsm.telemetry.finished import Quick
    from agentfsm.telemetry.settings import Telemetry

__all__ = ("Sources", "quick", "sources_of", "tracer_of")

SCOPE = "agentfsm"


@frozen(eq=False)
class Sources:
    """A tracer and instruments, each None where the API alone is there and would drop what it is given."""

    providers: tuple[object, object]
    tracer: trace.Tracer | None
    quick: Quick | None
    meters: Meters | None


def sources_of(telemetry: Telemetry, known: Sources | None) -> Sources:
    """Return the sources of the providers that are in force now: *known*, where they are still the same."""
    tracers = telemetry.tracer_provider or trace.get_tracer_provider()
    meters = telemetry.meter_provider or metrics.get_meter_provider()
    if known is not None and known.providers[0] is tracers and known.providers[1] is meters:
        return known if known.quick is None or known.quick.fits else attrs.evolve(known, quick=quick(known.tracer))
    tracer = None if _of_the_api(tracers) else tracer_of(telemetry, tracers)
    return Sources(
        (tracers, meters),
        tracer,
        quick(tracer),
        None if _of_the_api(meters) else Meters(meters.get_meter(SCOPE, _version(), telemetry.convention.schema_url)),
    )


def tracer_of(telemetry: Telemetry, tracers: trace.TracerProvider) -> trace.Tracer:
    """Return the tracer of a provider, named after this package and the version of the conventions."""
    return tracers.get_tracer(SCOPE, _version(), telemetry.convention.schema_url)


def quick(tracer: trace.Tracer | None) -> Quick | None:
    """Return what makes finished spans for a tracer of the SDK, where there is one and it lets them be made so."""
    if tracer is None or not type(tracer).__module__.startswith("opentelemetry.sdk"):
        return None
    from agentfsm.telemetry.finished import quick_of

    return quick_of(tracer)


def _of_the_api(provider: object) -> bool:
    """Tell whether a provider is one that the API itself brings: it stands in for one that nobody has set."""
    return type(provider).__module__.startswith(("opentelemetry.trace", "opentelemetry.metrics"))


def _version() -> str:
    from importlib.metadata import version

    return version(SCOPE)
