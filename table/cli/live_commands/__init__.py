"""Commands about a table that is being played, or about its appliance."""
