"""Which page of the help explains a control of the settings, by the name of the control."""

__all__ = ["place_of"]


def place_of(control: str, method: str, wrapper: str) -> str:
    """The page, and after # the setting on it; "" for a control that no page explains."""
    prefix, _, setting = control.partition("_")
    pages = {
        "method": f"methods/{method}",
        "preset": f"methods/{method}",
        "wrapper": f"wrappers/{wrapper}",
        "measure": "settings/measuring",
        "filter": "settings/prefilter",
    }
    page, setting = pages.get(prefix, ""), setting.removesuffix("_reset")
    return f"{page}#{setting}" if page and setting else page
