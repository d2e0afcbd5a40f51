"""Points as text, as arrows, as previews of a result, and as sheets."""
