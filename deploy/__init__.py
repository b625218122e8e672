"""What a Raspberry Pi needs to be a table: the service, the kiosk, and what installs them."""
