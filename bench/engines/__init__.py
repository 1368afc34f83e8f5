"""What each SAT engine can do, tried out in processes of their own."""
