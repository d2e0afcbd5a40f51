"""Renders, trains, evaluates and exports the models; no program that runs at a table imports it."""
