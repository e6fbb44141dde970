"""The command line. Without a command it opens the window, before anything else is imported."""

import gc
import gettext
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, TextIO

from fsdesk.errors import UserError, lacks_handles
from fsdesk.messages import (
    ENGLISH,
    current_language,
    language_named,
    mark,
    message,
    printable,
    set_language,
    shortened,
    tr,
    translated,
)

__all__ = ["application", "invoke", "main", "open_window", "say_help"]

_LONGEST = 4000  # maximum length of a quoted external text

_WORDS_OF_TYPER = (mark("Arguments"), mark("Commands"), mark("Options"), mark("required"), mark("default: {default}"))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 2 wrong input, 130 stopped by the user."""
    arguments = sys.argv[1:] if arguments is None else arguments
    is_smoke_test = arguments[:1] == ["--smoke"]
    if not arguments or (len(arguments) == 1 and _is_file(arguments[0])) or is_smoke_test:
        return open_window(arguments)
    if _is_file(arguments[0]):
        return _complain(
            message(
                '{file} is not a command. Use "fsdesk {file}" to open it in the window, or "fsdesk run {file} …" to '
                "search it without one.",
                file=arguments[0],
            )
        )
    return invoke(arguments)


def open_window(arguments: list[str]) -> int:
    """Open the window and return its exit code; nothing else here needs Qt."""
    from fsdesk.app import main

    return main(arguments)


def _is_file(argument: str) -> bool:
    """Whether an argument is a file: commands have no dot, folder or colon, unlike ``sample:genes``, and no dash."""
    return not argument.startswith("-") and ("." in argument or ":" in argument or len(PurePath(argument).parts) > 1)


def invoke(arguments: list[str]) -> int:
    """Run a command and return its exit code; any user error is one sentence on stderr."""
    set_language(language_named(_language()))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal with a limited character set must not fail
    with _plain_output():
        return _invoked(arguments)


class _Plain:
    """A stream on which external text, such as names in a table, cannot control the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream  # rich, which looks for this name, defines its own commands
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _plain_output() -> Iterator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_Plain(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _invoked(arguments: list[str]) -> int:
    try:
        command = application()
        from fsdesk.engine.memory import keep_one_heap  # imported by the commands anyway

        if current_language() is not ENGLISH:
            say_help(command, tr)
            _translate_typer()
        keep_one_heap()
        command(args=arguments, prog_name="fsdesk")
        sys.stdout.flush()
    except UserError as error:
        from fsdesk.cli.options import ask
        from fsdesk.data.reading import QuestionError

        if isinstance(error, QuestionError):
            ask(error)
            return 2
        return _complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader closed the pipe
    except (OSError, ImportError) as error:
        if lacks_handles(error):
            return _complain(
                message(
                    "This needs more open files than this process may have. Raise the limit, for example with "
                    '"ulimit -n 1024", and try again.'
                )
            )
        if isinstance(error, ImportError):
            raise
        return _complain(
            message(
                "Cannot use {file} ({reason}).",
                file=error.filename or message("The output"),
                reason=error.strerror or error,
            )
        )
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return 130
    return 0


def _language() -> str:
    """The user's language, from the environment variables that gettext reads, in its order."""
    chosen = next(filter(None, map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "en")
    return chosen[:2].lower()


def _complain(sentence: str) -> int:
    print(f"fsdesk: {shortened(translated(sentence), _LONGEST)}", file=sys.stderr)
    return 2


def say_help(command: Any, say: Callable[[str], str]) -> None:
    """Replace each help text of a command and its subcommands by the result of ``say``.

    Texts have one line per paragraph, as in the translation catalogs; typer wraps the lines.
    """
    import typer

    for part in (command, *command.get_params(typer.Context(command))):  # with --help, which commands do not declare
        if part_help := getattr(part, "help", None):
            part.help = say("\n\n".join(" ".join(paragraph.split()) for paragraph in part_help.split("\n\n")))
    for other in getattr(command, "commands", {}).values():
        say_help(other, say)


def _translate_typer() -> None:
    """Translate typer's own texts with our catalogue: it looks them up in gettext's default domain, which is empty."""
    for name, module in list(sys.modules.items()):
        if name.startswith("typer.") and getattr(module, "_", None) is gettext.gettext:
            setattr(module, "_", tr)  # noqa: B010  mypy knows no such name


def application() -> Any:
    """The top-level command with all its subcommands, imported here because the window needs none of them."""
    # Garbage collection over all permanent module objects takes a tenth of a short command's time.
    is_first = "fsdesk.cli.run" not in sys.modules and gc.isenabled()
    if is_first:
        gc.disable()
    import typer

    from fsdesk.cli import inspect, results, run, study

    if is_first:
        gc.freeze()
        gc.enable()
    app = typer.Typer(
        name="fsdesk",
        help="Find the features that predict best. Without a command, the window opens; given only a file, the "
        "window shows it.",
        no_args_is_help=False,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(run.root)
    commands = (
        ("open", run.open_),
        ("run", run.run),
        ("read", inspect.read),
        ("resume", run.resume),
        ("export", results.export_),
        ("predict", results.predict),
        ("validate", results.validate),
        ("plan", results.plan),
        ("verify", results.verify),
        ("compare", results.compare),
        ("study", study.study),
        ("methods", inspect.methods),
        ("wrappers", inspect.wrappers),
        ("criteria", inspect.criteria),
        ("settings", inspect.settings),
    )
    for name, command in commands:
        app.command(name)(command)
    app.add_typer(study.bench)
    return typer.main.get_command(app)
