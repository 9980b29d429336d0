"""Triggers: a Version's content and an audit entry never change."""

from django.db import migrations

from designer.core.triggers import freeze, thaw

VERSION_COLUMNS = (
    "id",
    "agent_id",
    "number",
    "digest",
    "draft_digest",
    "document",
    "layout",
    "problems",
    "squad",
    "published_at",
    "published_by_id",
)
AUDIT_COLUMNS = (
    "id",
    "at",
    "workspace_id",
    "actor",
    "actor_name",
    "address",
    "verb",
    "kind",
    "object",
    "data",
)


def freeze_all(apps, editor):
    freeze(editor, "designer_version", VERSION_COLUMNS, "a published version never changes")
    freeze(editor, "designer_auditentry", AUDIT_COLUMNS, "an audit entry never changes")


def thaw_all(apps, editor):
    thaw(editor, "designer_version")
    thaw(editor, "designer_auditentry")


class Migration(migrations.Migration):
    dependencies = [("designer", "0002_agents")]
    operations = [migrations.RunPython(freeze_all, thaw_all)]
