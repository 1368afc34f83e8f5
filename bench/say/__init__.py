"""Text output: terminal, progress, phrases, JSON, and escaping for LaTeX and Markdown."""
