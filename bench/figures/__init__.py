"""Pictures: each module takes data frames and returns a matplotlib figure."""
