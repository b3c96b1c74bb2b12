"""The page: `create_app` makes the Flask application, everything else is behind it."""

from companion.web.factory import create_app

__all__ = ["create_app"]
