"""The pages of games that were played or are played: game, hand, archive, replay, Tenhou downloads."""
