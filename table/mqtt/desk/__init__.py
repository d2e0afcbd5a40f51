"""The tournament desk: its owner's pages, the common clock, and its journal."""
