"""The REST door: parse, call one service, render."""
