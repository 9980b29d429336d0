"""Figures beside the peers', as ratios, in one run. Never a timed assertion in a test."""
