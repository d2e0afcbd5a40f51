"""What a look found, put right by the tiles around it: parts joined, askew ones straightened, missing ones read."""
