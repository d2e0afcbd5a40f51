"""The pages of fouls and of the rule set in force."""
