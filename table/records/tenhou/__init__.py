"""Reads games in Tenhou's formats mjlog and tenhou.net/6, and writes the latter."""
