"""The XML of an SCXML document, read safely: no entities, no DTD, bounded size and depth."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from interpreter.interchange.scxml.report import InterchangeError

NAMESPACE = "http://www.w3.org/2005/07/scxml"
OURS = "urn:callchart:machine:1"
MAX_BYTES = 5_000_000
MAX_DEPTH = 60
MAX_ELEMENTS = 50_000
STATES = ("state", "parallel", "final")


def parse_tree(source: bytes | str) -> Element:
    """The `<scxml>` element. Raises InterchangeError: no XML, a DTD, too big, another root."""
    if len(source) > MAX_BYTES:
        raise InterchangeError(f"the text is longer than {MAX_BYTES:,} bytes")
    try:
        root: Element = ElementTree.fromstring(source, forbid_dtd=True)
    except DefusedXmlException:
        raise InterchangeError(
            "the text has a DTD or an entity, which are not read from outside"
        ) from None
    except ParseError as error:
        raise InterchangeError(f"this is no XML: {error}") from None
    except (ValueError, LookupError, RecursionError) as error:
        raise InterchangeError(f"this is no XML that can be read: {error}") from None
    _bound(root)
    if root.tag not in ("scxml", f"{{{NAMESPACE}}}scxml"):
        raise InterchangeError(f"the root is <{tag(root)}>; an SCXML document begins with <scxml>")
    return root


def _bound(root: Element) -> None:
    waiting = [(root, 1)]
    count = 0
    while waiting:
        element, depth = waiting.pop()
        count += 1
        if depth > MAX_DEPTH:
            raise InterchangeError(f"the elements are nested deeper than {MAX_DEPTH}")
        if count > MAX_ELEMENTS:
            raise InterchangeError(f"there are more than {MAX_ELEMENTS:,} elements")
        waiting += [(child, depth + 1) for child in element]


def tag(element: Element) -> str:
    """The local name of an element of SCXML; `{uri}name` of another vocabulary."""
    name = element.tag
    uri, brace, local = name.rpartition("}")
    if not brace or uri[1:] == NAMESPACE:
        return local
    return name


def children(element: Element, *names: str) -> Iterator[Element]:
    """The direct children of these names, in order."""
    return (child for child in element if tag(child) in names)


def own(element: Element, name: str) -> str | None:
    """An attribute of our own vocabulary."""
    return element.get(f"{{{OURS}}}{name}")


def ids(text: str | None) -> list[str]:
    """The names in a list attribute (`initial`, `target`, `event`, `namelist`)."""
    return (text or "").split()
