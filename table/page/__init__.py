"""The touchscreen page. Only `titusind play` imports what needs NiceGUI."""
