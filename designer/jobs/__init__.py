"""Work done beside the request."""
