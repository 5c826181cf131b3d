"""The engine, one module of tests for one of its own."""
