"""GNU assembly: read without loss, parsed by the rows of a target's table, lifted into the core IR by their `does`.

`scan` cuts text into statements, `expression` reads operands' numbers and symbols, `operands` finds the form that a
statement spells, `program` makes functions and blocks of it, `lift` the core IR, `liveness` says which registers
and flags are needed later.
"""
