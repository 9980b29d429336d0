"""Policies stand in an Agent's draft."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("designer", "0004_calls_and_jobs")]
    operations = [
        migrations.AddField(
            model_name="agent", name="policies", field=models.JSONField(default=list)
        )
    ]
