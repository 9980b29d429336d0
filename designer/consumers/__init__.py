"""The sockets."""
