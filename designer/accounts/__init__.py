"""Workspaces, people, roles, tokens, audit."""
