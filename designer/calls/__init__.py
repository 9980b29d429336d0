"""Live Calls: rows, inputs, events, timers, replay."""
