"""The table's inbox, without a table behind it."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.game.snapshot import CameraHealth, CameraLoss
from table.game.table_loop import Message


@dataclass
class Inbox:
    """Keeps every message that the table would hear."""

    messages: list[Message] = field(default_factory=list)

    def send(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def health(self) -> list[CameraHealth]:
        """What was said of the camera, in order."""
        messages = [CameraHealth.LOST if isinstance(message, CameraLoss) else message for message in self.messages]
        return [message for message in messages if isinstance(message, CameraHealth)]
