"""How the window looks: colours, type, icons, building blocks and plots, and the words in the user's language."""
