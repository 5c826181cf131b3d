"""The rules engine: pure, frozen, and the only place that knows the rules."""
