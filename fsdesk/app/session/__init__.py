"""The objects of a session: tables, projects and runs."""
