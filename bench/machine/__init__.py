"""The machine: its facts, pinning, what disturbs a run, and the doctor."""
