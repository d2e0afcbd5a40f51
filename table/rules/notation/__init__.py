"""Events as lines of text: writing, reading, and every form with an example."""
