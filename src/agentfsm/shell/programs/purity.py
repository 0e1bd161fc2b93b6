"""Which Python programs are provably pure: an ``ast`` walk with an allowlist (standard, rule 10)."""

from __future__ import annotations

import ast
import warnings

from agentfsm.shell.values import names

__all__ = ("is_pure",)

_MODULES = frozenset(
    names("""
    sys json math cmath platform re datetime time string itertools functools collections collections.abc
    operator statistics decimal
    fractions random hashlib base64 binascii textwrap uuid calendar struct unicodedata enum typing dataclasses
    heapq bisect copy
    pprint html colorsys secrets zlib difflib keyword numbers array types abc locale hmac stringprep graphlib
    urllib.parse html.entities importlib.metadata email.utils ipaddress csv zoneinfo contextlib
""")
)
_SYS = frozenset(
    names("""
    version version_info argv path executable platform stdin stdout stderr maxsize byteorder exit prefix
    base_prefix exec_prefix implementation
    getrecursionlimit getsizeof getdefaultencoding getfilesystemencoding float_info int_info hash_info flags
    api_version hexversion
    builtin_module_names stdlib_module_names maxunicode copyright thread_info intern getrefcount warnoptions
    base_exec_prefix
""")
)
_BANNED_NAMES = frozenset(
    names("""
    open exec eval compile breakpoint getattr setattr delattr vars globals locals help memoryview credits license
""")
)
_BANNED_ATTRIBUTES = frozenset(
    names("""
    os sys subprocess builtins io shutil importlib modules system popen spawn fork remove unlink rmdir rename
    mkdir makedirs
    open open_code fdopen write_text write_bytes touch chmod chown symlink link truncate writelines exec eval
    compile run call check_output
    check_call Popen import_module load_module find_spec exec_module meta_path path_hooks settrace setprofile
    addaudithook breakpointhook
    displayhook excepthook tofile fromfile urlopen urlretrieve socket connect send sendall listen bind kill
    abort codecs ctypes posix nt pathlib
    glob tempfile threading multiprocessing asyncio signal savetxt save to_csv load_source get_loader inspect
    gc linecache tokenize
    FileType file_digest reload files locate load f_globals f_locals f_builtins gi_frame cr_frame tb_frame f_back
    func_globals subclasses get_type_hints make_dataclass ModuleType FunctionType CodeType LambdaType
""")
)
_NAMES_WITH_DUNDER = frozenset({"__name__", "__doc__", "__debug__"})
_GROWS = frozenset({"insert", "append", "extend", "clear", "pop", "sort", "reverse", "remove"})
_MAX_SOURCE = 20_000


def is_pure(source: str) -> bool:
    """Whether *source* surely reads no file, writes none, runs nothing and talks to nobody."""
    if len(source) > _MAX_SOURCE:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return _pure(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _pure(tree: ast.AST) -> bool:
    path_used = grows = False
    for node in ast.walk(tree):
        if not _allowed(node):
            return False
        if isinstance(node, ast.Attribute):
            path_used = path_used or node.attr == "path"
            grows = grows or node.attr in _GROWS
    return not (path_used and grows)


def _allowed(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return all(alias.name in _MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return _import_from(node)
    if isinstance(node, ast.Name):
        return node.id not in _BANNED_NAMES and (not node.id.startswith("__") or node.id in _NAMES_WITH_DUNDER)
    if isinstance(node, ast.Attribute):
        return _attribute(node)
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) or not isinstance(node.value, ast.Attribute)
    return not isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.Global | ast.Nonlocal) or isinstance(
        node, ast.Global | ast.Nonlocal
    )


def _import_from(node: ast.ImportFrom) -> bool:
    if node.level or node.module not in _MODULES:
        return False
    names = {alias.name for alias in node.names}
    if node.module == "sys" and not names <= _SYS:
        return False
    return not any(name in _BANNED_ATTRIBUTES or name.startswith("_") or name == "*" for name in names)


def _attribute(node: ast.Attribute) -> bool:
    name = node.attr
    if not isinstance(node.ctx, ast.Load) or (name.startswith("_") and name not in ("_asdict", "_fields", "_replace")):
        return False
    if isinstance(node.value, ast.Name) and node.value.id == "sys":
        return name in _SYS
    if isinstance(node.value, ast.Name) and node.value.id == "json" and name == "load":
        return True
    if name == "write":
        holder = (
            node.value.value if isinstance(node.value, ast.Attribute) and node.value.attr == "buffer" else node.value
        )
        return isinstance(holder, ast.Attribute) and holder.attr in ("stdout", "stderr")
    return name not in _BANNED_ATTRIBUTES
