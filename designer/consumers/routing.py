"""The sockets: one consumer, one stream kind each."""

from typing import Any

from django.urls import re_path

from designer.consumers.socket import StreamSocket
from designer.realtime.presence import Attendance, parse_here
from designer.realtime.topics import CALL, DRAFT, JOB


class CallSocket(StreamSocket):
    """`/ws/v1/calls/{id}`: Call events."""

    kind = CALL


class JobSocket(StreamSocket):
    """`/ws/v1/jobs/{id}`: a job's steps and its end."""

    kind = JOB


class DraftSocket(StreamSocket):
    """`/ws/v1/agents/{id}/draft`: applied batches of operations, and who else is there.

    One takes part from the first `here` on: a program that only follows the edits is no person.
    """

    kind = DRAFT
    _attendance: Attendance | None = None

    async def _other(self, message: dict[str, Any]) -> bool:
        here = parse_here(message) if message.get("op") == "here" else None
        if here is None:
            return False
        if self._attendance is None:
            user = {"id": str(self._user), "name": self._name}
            self._attendance = Attendance(self._topic.id, user, self._give)
            self._later(self._attendance.run())
        self._attendance.say(here)
        return True


websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/v1/calls/(?P<id>[^/]{1,100})/?$", CallSocket.as_asgi()),
    re_path(r"^ws/v1/jobs/(?P<id>[^/]{1,100})/?$", JobSocket.as_asgi()),
    re_path(r"^ws/v1/agents/(?P<id>[^/]{1,100})/draft/?$", DraftSocket.as_asgi()),
]
