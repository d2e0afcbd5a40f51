"""Transparent pages that a streaming program lays over its picture. They show what lies open on the table, delayed."""
