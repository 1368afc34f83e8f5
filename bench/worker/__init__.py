"""Code that runs inside a measured process: the clocks, the stopwatch, the limits that it sets itself."""
