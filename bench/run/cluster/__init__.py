"""A run on the workers of a Dask cluster: blocks of measurements, who hands them out, and who measures them."""
