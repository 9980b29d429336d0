"""Question sets and the lane stand in an Agent's draft; an edit has a title and says what it undoes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("designer", "0008_frozen_whole"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.AddField("agent", "question_sets", models.JSONField(default=list)),
        migrations.AddField("agent", "lane", models.JSONField(default=dict)),
        migrations.AddField("draftedit", "title", models.CharField(default="", max_length=200)),
        migrations.AddField("draftedit", "undoes", models.UUIDField(null=True)),
        migrations.AddField("draftedit", "redoes", models.UUIDField(null=True)),
        migrations.AddIndex(
            "draftedit",
            models.Index(fields=["agent", "actor", "-revision"], name="edits_of_a_person"),
        ),
    ]
