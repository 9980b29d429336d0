"""Canonical JSON by the quick way is what RFC 8785 says."""

from __future__ import annotations

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from designer.core.canonical import canonical, digest

scalars = (
    st.none()
    | st.booleans()
    | st.integers(1 - 2**53, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0.0, -0.0, 1.0, 1e-4, 9.9e-5, 1e15, 1e16, 1e21, 1e-7, 5e-324, 0.1 + 0.2])
    | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(values)
def test_it_writes_what_the_standard_writes(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [2**53, -(2**53), float("nan"), float("inf"), "\ud800", {1, 2}])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical([value])


def test_two_spellings_have_one_digest() -> None:
    assert digest({"b": 1.0, "a": (1,)}) == digest({"a": [1], "b": 1})
