"""The camera's thread, calibration, previews, clips, photos, and learning from corrections."""
