"""Which Penstock this is: the engine's version, which comes from the library's public header."""

from penstock import _engine

__version__ = _engine.version()
