"""Review of versions, comments, scenarios: the rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import designer.core.ids
from designer.core.triggers import thaw

PERSON = dict(null=True, related_name="+", to=settings.AUTH_USER_MODEL)


def person(on_delete):
    return models.ForeignKey(on_delete=on_delete, **PERSON)


def agent(name):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=name, to="designer.agent"
    )


def identity():
    return models.UUIDField(
        default=designer.core.ids.new_id, editable=False, primary_key=True, serialize=False
    )


def thaw_all(apps, editor):
    """0008 freezes again: by more columns, and against deletes on both databases."""
    thaw(editor, "designer_version")
    thaw(editor, "designer_auditentry")


def added(name, field):
    return migrations.AddField(model_name="version", name=name, field=field)


SET_NULL, PROTECT = django.db.models.deletion.SET_NULL, django.db.models.deletion.PROTECT


class Migration(migrations.Migration):
    dependencies = [("designer", "0006_people")]
    operations = [
        migrations.RunPython(thaw_all, migrations.RunPython.noop),
        migrations.RenameField("version", "approved_at", "decided_at"),
        migrations.RenameField("version", "approved_by", "decided_by"),
        added("revision", models.PositiveIntegerField(default=0)),
        added("base", models.PositiveIntegerField(null=True)),
        added("authors", models.JSONField(default=list)),
        added("anchors", models.JSONField(default=dict)),
        added("requested_at", models.DateTimeField(null=True)),
        added("requested_by", person(PROTECT)),
        added("request_note", models.TextField(blank=True, default="")),
        added("decision", models.CharField(blank=True, default="", max_length=16)),
        added("decision_note", models.TextField(blank=True, default="")),
        added("closure", models.JSONField(default=dict)),
        added("closure_digest", models.CharField(blank=True, default="", max_length=64)),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", identity()),
                ("kind", models.CharField(max_length=16)),
                ("row", models.CharField(max_length=64)),
                ("key", models.CharField(blank=True, max_length=200)),
                ("version", models.PositiveIntegerField(null=True)),
                ("text", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("edited_at", models.DateTimeField(null=True)),
                ("resolved_at", models.DateTimeField(null=True)),
                ("agent", agent("comments")),
                ("created_by", person(SET_NULL)),
                ("resolved_by", person(SET_NULL)),
                (
                    "parent",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replies",
                        to="designer.comment",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["agent", "created_at", "id"], name="comments_in_order")
                ]
            },
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ("id", identity()),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, default="")),
                ("slots", models.JSONField(default=dict)),
                ("lines", models.JSONField(default=list)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("last", models.JSONField(null=True)),
                ("agent", agent("scenarios")),
                ("updated_by", person(SET_NULL)),
            ],
            options={
                "indexes": [models.Index(fields=["agent", "name", "id"], name="scenarios_by_name")]
            },
        ),
        migrations.CreateModel(
            name="SuiteResult",
            fields=[
                ("id", identity()),
                ("version", models.PositiveIntegerField(null=True)),
                ("document_digest", models.CharField(max_length=64)),
                ("scenarios_digest", models.CharField(max_length=64)),
                ("job", models.UUIDField(unique=True)),
                ("at", models.DateTimeField()),
                ("total", models.PositiveIntegerField()),
                ("passed", models.PositiveIntegerField()),
                ("failed", models.PositiveIntegerField()),
                ("coverage", models.JSONField(default=dict)),
                ("agent", agent("suite_results")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["agent", "version", "-at"], name="suite_results_newest")
                ]
            },
        ),
    ]
