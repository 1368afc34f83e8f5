"""Programs for maintainers that validate the method and write the tables of the documents. Not installed."""
