"""The camera's thread, where the table lies, previews, clips, photos, and what is learnt from corrections."""
