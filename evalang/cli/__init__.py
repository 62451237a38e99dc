"""The command line: arguments in, text or files and an exit code out.

`main.py` has the table of commands, the exit codes and how errors are printed; `screen.py` what commands share: reading
scripts, showing findings, progress bars. A new command is a click function `NAME_command` and a row of `COMMANDS`.
"""
