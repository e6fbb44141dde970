"""The window itself: bars, menus, messages, help, first screen, start and recovery."""
