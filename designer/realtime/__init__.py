"""How what is committed reaches a screen: hints, and one shared feed a stream and process."""
