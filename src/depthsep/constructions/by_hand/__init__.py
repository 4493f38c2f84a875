"""Networks of the literature that users build themselves."""
