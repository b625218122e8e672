"""Looks over everything that a table needs, and says what to do about what is not well."""
