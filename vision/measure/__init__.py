"""How well pictures are read: the figures of the README, the model card and the manifest."""
