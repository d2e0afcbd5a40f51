"""What a hand is worth, who pays, and how the game goes on."""
