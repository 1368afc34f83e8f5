"""What a run folder holds. Only this room writes into one."""
