"""The referee: the only place that starts bots."""
