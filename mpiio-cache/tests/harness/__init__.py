"""Starts agents and MPI programs for the tests, and ends them."""
