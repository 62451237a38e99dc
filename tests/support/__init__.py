"""Builders and runners that several packages of tests share."""
