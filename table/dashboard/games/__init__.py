"""The pages of present and past games: game, hand, archive, replay, season, Tenhou downloads."""
