"""From data to parameters, and from samples to the shares of their parameters."""
