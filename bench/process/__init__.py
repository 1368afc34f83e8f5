"""A worker process as the runner sees it: started, watched, limited, killed with all it started."""
