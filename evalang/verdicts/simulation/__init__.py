"""Type I error and power, by drawing what two learners of known error rates would say."""

from __future__ import annotations

from .simulate import simulate
from .units import Units

__all__ = ["Units", "simulate"]
