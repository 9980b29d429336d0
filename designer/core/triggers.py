"""Database triggers that keep rows as they are, for SQLite and PostgreSQL; used by migrations."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def _different(columns: Sequence[str], *, postgres: bool) -> str:
    operator = "IS DISTINCT FROM" if postgres else "IS NOT"
    return " OR ".join(f'NEW."{name}" {operator} OLD."{name}"' for name in columns)


def freeze(
    editor: BaseDatabaseSchemaEditor, table: str, columns: Sequence[str], message: str
) -> None:
    """Refuses any UPDATE that changes one of `columns`, and any DELETE of a row.

    A later migration that alters the table thaws it first and freezes it again: SQLite makes a
    table anew to alter it, and the triggers go with the old one.
    """
    if editor.connection.vendor == "postgresql":
        editor.execute(
            f"CREATE OR REPLACE FUNCTION {table}_frozen() RETURNS trigger AS $$ BEGIN "
            f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; "
            "END; $$ LANGUAGE plpgsql"
        )
        editor.execute(
            f'CREATE TRIGGER {table}_no_update BEFORE UPDATE ON "{table}" FOR EACH ROW '
            f"WHEN ({_different(columns, postgres=True)}) EXECUTE FUNCTION {table}_frozen()"
        )
        editor.execute(
            f'CREATE TRIGGER {table}_no_delete BEFORE DELETE ON "{table}" FOR EACH ROW '
            f"EXECUTE FUNCTION {table}_frozen()"
        )
    elif editor.connection.vendor == "sqlite":
        editor.execute(
            f'CREATE TRIGGER {table}_no_update BEFORE UPDATE ON "{table}" FOR EACH ROW '
            f"WHEN {_different(columns, postgres=False)} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        editor.execute(
            f'CREATE TRIGGER {table}_no_delete BEFORE DELETE ON "{table}" FOR EACH ROW '
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )


def thaw(editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Takes the triggers of `freeze` away again."""
    if editor.connection.vendor == "postgresql":
        editor.execute(f'DROP TRIGGER IF EXISTS {table}_no_update ON "{table}"')
        editor.execute(f'DROP TRIGGER IF EXISTS {table}_no_delete ON "{table}"')
        editor.execute(f"DROP FUNCTION IF EXISTS {table}_frozen()")
    else:
        editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_update")
        editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_delete")
