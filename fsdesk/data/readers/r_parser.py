"""The parser of rdata, extended by the types of objects that it lacks; imports rdata.

The layout follows "Serialization Formats" in "R Internals". A table may be stored beside such objects: functions of the
base package, bytes, weak references.
"""

from collections.abc import Iterable
from typing import Any

from rdata.parser import CharFlags, RObject, RObjectInfo, RObjectType
from rdata.parser._xdr import ParserXDR

_BASE_NAMESPACE, _UNBOUND, _PACKAGE, _PERSISTENT, _WEAK, _RAW = 250, 252, 248, 247, 23, 24
_UNKNOWN = (_BASE_NAMESPACE, _UNBOUND, _PACKAGE, _PERSISTENT, _WEAK, _RAW)
_OF_BYTECODE = (2, 6, 21, 239, 240, 243, 244)  # types whose parts lie in the bytecode around them
_ATTRIBUTES = 1 << 9  # flag of an object


class ObjectParser(ParserXDR):
    """Parses R's default form of files."""

    def parse_int(self) -> int:
        """Four bytes; ValueError at the end of the file."""
        four = self.file.read(4)
        if len(four) < 4:
            raise ValueError("end of file")
        return int.from_bytes(four, "big", signed=True)

    def parse_R_object(  # noqa: N802
        self,
        reference_list: list[Any] | None = None,
        bytecode_rep_list: list[Any] | None = None,
        info_int: int | None = None,
    ) -> Any:
        """An object with its parts; ``info_int`` is its type if it is part of bytecode."""
        references = [] if reference_list is None else reference_list
        if info_int in _OF_BYTECODE:
            return super().parse_R_object(references, bytecode_rep_list, info_int)
        start = self.file.tell()  # a separate object, even within bytecode
        flags = self.parse_int()
        if flags & 255 in _UNKNOWN:
            return self._parse_unknown(flags, references)
        self.file.seek(start)
        return super().parse_R_object(references)

    def _parse_unknown(self, flags: int, references: list[Any]) -> Any:
        kind = flags & 255
        if kind == _RAW:
            return self._parse_raw(flags, references)
        found = node_of(RObjectType.NILVALUE)
        if kind in (_BASE_NAMESPACE, _UNBOUND):
            return found
        references.append(found)
        if kind == _WEAK and flags & _ATTRIBUTES:
            self.parse_R_object(references)
        elif kind != _WEAK:
            if self.parse_int():
                raise ValueError("names of an environment")
            self._parse_vector_value(references)
        return found

    def _parse_raw(self, flags: int, references: list[Any]) -> Any:
        length = self.parse_int()
        if length < 0 or len(self.file.read(length)) < length:
            raise ValueError("length of bytes")
        if flags & _ATTRIBUTES:
            self.parse_R_object(references)
        return unread("raw")


def node_of(kind: Any, value: Any = None, attributes: Any = None, tag: Any = None) -> Any:
    """A parsed object of a type, without flags."""
    info = RObjectInfo(kind, False, attributes is not None, tag is not None, 0, 0)
    return RObject(info, value, attributes, tag)


def text(content: bytes | None) -> Any:
    """One text, in UTF-8."""
    node = node_of(RObjectType.CHAR, content)
    node.info.gp = CharFlags.UTF8
    return node


def attribute(name: bytes, cells: Iterable[Any]) -> Any:
    """A list of attributes with a single attribute, which contains texts."""
    texts = node_of(RObjectType.STR, list(cells))
    return node_of(RObjectType.LIST, (texts, node_of(RObjectType.NILVALUE)), tag=node_of(RObjectType.SYM, text(name)))


def unread(kind: str) -> Any:
    """An object without values, such as an S4 object without slots."""
    return node_of(RObjectType.S4, attributes=attribute(b"class", [text(kind.encode())]))
