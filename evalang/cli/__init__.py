"""The command line: it takes arguments, and gives text or files and an exit code.

`main.py` has the table of commands, the exit codes, and the printing of errors. `screen.py` has what the commands
share: reading scripts, showing findings, progress bars. To add a command, write a click function `NAME_command` and
add a row to `COMMANDS`.
"""
