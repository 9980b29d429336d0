"""Approvals of before get their closure; a version and an audit entry can not be deleted either,
on both databases.
"""

from django.db import migrations

from designer.core.canonical import digest
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
    "revision",
    "base",
    "authors",
    "anchors",
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


def close(apps, editor):
    """What was approved before is bound to what it was approved with."""
    rows = apps.get_model("designer", "Version").objects.filter(decided_at__isnull=False)
    for row in rows.only("digest", "squad"):
        squad = {member["key"]: member["digest"] for member in row.squad}
        closure = {"version": row.digest, "squad": squad, "scenarios": None}
        row.decision, row.closure, row.closure_digest = "approved", closure, digest(closure)
        row.save(update_fields=["decision", "closure", "closure_digest"])


def freeze_all(apps, editor):
    freeze(editor, "designer_version", VERSION_COLUMNS, "a published version never changes")
    freeze(editor, "designer_auditentry", AUDIT_COLUMNS, "an audit entry never changes")


def thaw_all(apps, editor):
    thaw(editor, "designer_version")
    thaw(editor, "designer_auditentry")


class Migration(migrations.Migration):
    dependencies = [("designer", "0007_review")]
    operations = [
        migrations.RunPython(close, migrations.RunPython.noop),
        migrations.RunPython(freeze_all, thaw_all),
    ]
