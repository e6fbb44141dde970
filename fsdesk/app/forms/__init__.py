"""Forms generated from the declared settings, and the dialogs about runs."""
