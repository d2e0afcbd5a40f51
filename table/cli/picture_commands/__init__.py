"""Commands about photographs and what the models see."""
