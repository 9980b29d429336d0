"""The page's shell, sign-in's look, error pages."""
