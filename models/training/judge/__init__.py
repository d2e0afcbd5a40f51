"""How good the models are: metrics, figures, and the model card."""
