"""The sockets: one consumer, one stream kind each."""

from typing import Any

from django.urls import re_path

from designer.consumers.socket import StreamSocket
from designer.realtime.topics import CALL, DRAFT, JOB


class CallSocket(StreamSocket):
    """`/ws/v1/calls/{id}`: Call events."""

    kind = CALL


class JobSocket(StreamSocket):
    """`/ws/v1/jobs/{id}`: a job's steps and its end."""

    kind = JOB


class DraftSocket(StreamSocket):
    """`/ws/v1/agents/{id}/draft`: applied batches of operations."""

    kind = DRAFT


websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/v1/calls/(?P<id>[^/]{1,100})/?$", CallSocket.as_asgi()),
    re_path(r"^ws/v1/jobs/(?P<id>[^/]{1,100})/?$", JobSocket.as_asgi()),
    re_path(r"^ws/v1/agents/(?P<id>[^/]{1,100})/draft/?$", DraftSocket.as_asgi()),
]
