"""What the window works on: tables, projects and runs."""
