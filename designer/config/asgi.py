"""HTTP by Django, sockets by Channels."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "designer.config.settings")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from designer.consumers.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(  # type: ignore[no-untyped-call]
    {
        "http": django_application,
        "websocket": AuthMiddlewareStack(  # type: ignore[no-untyped-call]
            URLRouter(websocket_urlpatterns)  # type: ignore[no-untyped-call]
        ),
    }
)
