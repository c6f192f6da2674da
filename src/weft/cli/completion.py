"""``weft completion``: commands and options completed by the shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from weft.cli import options

EXAMPLES = """\b
bash:  eval "$(weft completion bash)"           in ~/.bashrc
zsh:   eval "$(weft completion zsh)"            in ~/.zshrc
fish:  weft completion fish | source            in ~/.config/fish/config.fish
"""


@click.command(short_help="Print a script that lets your shell complete commands.", epilog=EXAMPLES)
@click.argument("shell", type=options.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL (bash, zsh or fish) complete weft's commands and options with the tab key."""
    found = get_completion_class(shell)
    assert found is not None  # these three come with click
    click.echo(found(context.find_root().command, {}, "weft", "_WEFT_COMPLETE").source())
