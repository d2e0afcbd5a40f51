"""Arguments that several commands share: numbers, paths, the language, rule sets, and which appliance is meant."""
