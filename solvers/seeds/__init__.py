"""The five strategies of the project's starting documents."""
