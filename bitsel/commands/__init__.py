"""The commands of the command line, one module each: `add` puts its parser in place, its `run` does the work.

Nothing heavy is imported before a command runs: adding the parsers of all of them is part of every start.
"""
