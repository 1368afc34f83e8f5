"""The machine: its description, core pinning, disturbances of a run, and the doctor."""
