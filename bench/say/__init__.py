"""How the project speaks: terminal, progress, phrases, JSON for programs, text for LaTeX and Markdown."""
