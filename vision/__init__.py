"""Tachiai's eyes: from pixels to what lies on the felt."""
