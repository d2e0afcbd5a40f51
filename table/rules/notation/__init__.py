"""Events as one line of text, read and written, and every form with an example."""
