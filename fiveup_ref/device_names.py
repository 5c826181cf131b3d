"""What devices are called by the people who use them."""

from __future__ import annotations

from .database import Connections
from .scorers import hashed


class DeviceNames:
    """Names by device; of the device's id only a hash is kept."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def name(self, device: str) -> str:
        """The name of a device; '' where it has none."""
        found = self._connections.here().execute("SELECT name FROM devices WHERE hash = ?", (hashed(device),))
        return next((str(name) for (name,) in found.fetchall()), "")

    def call(self, device: str, name: str) -> None:
        """Give a device a name; '' takes it away."""
        with self._connections.writing() as db:
            if name:
                db.execute("INSERT OR REPLACE INTO devices (hash, name) VALUES (?, ?)", (hashed(device), name))
            else:
                db.execute("DELETE FROM devices WHERE hash = ?", (hashed(device),))
