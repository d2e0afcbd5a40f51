"""The evaluation of the models: metrics, figures, and the model card."""
