"""What every room stands on: refusals, clock, ids, canonical JSON, queue."""
