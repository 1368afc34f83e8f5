"""What runs inside a measured process: the clocks, the stopwatch, its own limits."""
