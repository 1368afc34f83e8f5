"""The five strategies of the documents that the project started from."""
