"""Agents and their drafts."""
