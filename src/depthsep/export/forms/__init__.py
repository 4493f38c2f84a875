"""Forms of exported tables: one function a form, one line in `FORMS`."""
