"""HTTP by Django, sockets by Channels."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "designer.config.settings")

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter

django.setup(set_prefix=False)

from designer.config.http import Http  # noqa: E402
from designer.consumers.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(  # type: ignore[no-untyped-call]
    {
        "http": Http(),
        "websocket": AuthMiddlewareStack(  # type: ignore[no-untyped-call]
            URLRouter(websocket_urlpatterns)  # type: ignore[no-untyped-call]
        ),
    }
)
