"""Workspaces, people, their roles and tokens, and the audit."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from designer.core.ids import new_id

ROLES = ("designer", "reviewer", "support", "admin")


def display_name(name: str, email: str) -> str:
    """What others see of a person."""
    return name or email.partition("@")[0]


class UserManager(BaseUserManager["User"]):
    """Makes users by e-mail."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A user who signs in with `email`."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A user with every Django permission (the admin site is not served)."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person. Signs in by e-mail."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = None  # type: ignore[assignment]
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def display_name(self) -> str:
        """What others see."""
        return display_name(self.name, self.email)


class Workspace(models.Model):
    """Everything belongs to one; no query crosses workspaces."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    allow_self_approval = models.BooleanField(default=False)
    require_scenarios = models.BooleanField(default=False)
    created_at = models.DateTimeField()


class Membership(models.Model):
    """A person's roles in a workspace."""

    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    roles = models.JSONField(default=list)
    joined_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_membership")
        ]


class ApiToken(models.Model):
    """A bearer token: only its SHA-256 is kept; it acts as its user with at most `roles`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    prefix = models.CharField(max_length=12, blank=True, default="")
    sha256 = models.CharField(max_length=64, unique=True)
    roles = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)


class Invitation(models.Model):
    """A link by which someone joins a workspace, once: only its SHA-256 is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    email = models.EmailField()
    roles = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                "workspace",
                Lower("email"),
                condition=models.Q(accepted_at__isnull=True, revoked_at__isnull=True),
                name="one_open_invitation",
            )
        ]


class AuditEntry(models.Model):
    """Who did what, when, to which object, from which address.

    Append-only (a database trigger holds it).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField()
    workspace = models.ForeignKey(Workspace, models.DO_NOTHING, null=True, related_name="+")
    actor = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=254)
    address = models.CharField(max_length=64, blank=True)
    verb = models.CharField(max_length=64)
    kind = models.CharField(max_length=32)
    object = models.CharField(max_length=128)
    data = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["workspace", "-at"], name="audit_by_time")]

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuses."""
        raise TypeError("An audit entry is never deleted.")


class StoredAnswer(models.Model):
    """The first answer to a POST with an `Idempotency-Key`, kept in the transaction of the
    write.
    """

    actor = models.CharField(max_length=64)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["actor", "route", "key"], name="one_stored_answer")
        ]
