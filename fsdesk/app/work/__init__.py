"""What the window works on, without a widget: table, project, runs, and the work that workers do for them."""
