"""settings_form The settings panel: what is searched, with which method, model and way of measuring."""
