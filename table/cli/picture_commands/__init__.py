"""Commands about photographs and the models that read them."""
