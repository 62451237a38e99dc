"""What an editor asks about a script, as pure functions over text; `server.py` alone speaks the protocol."""
