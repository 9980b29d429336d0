"""How what is committed reaches a screen: topics, frames, hints, and one shared feed per stream and process."""
