"""What a text about a run needs: numbers, tables, captions, the method and its sources, as files to be included."""
