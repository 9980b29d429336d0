"""Callchart's web side: one Django app, its rooms layered as docs and house rules say."""
