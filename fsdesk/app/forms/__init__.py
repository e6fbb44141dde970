"""What a person sets before a run: forms made from the declared settings, and the dialogs about runs."""
