"""Frozen documents of Agents."""
