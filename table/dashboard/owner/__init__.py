"""The owner's and the staff's pages: health, camera, clips, corrections, staff."""
