"""Tests of the plan builder."""
