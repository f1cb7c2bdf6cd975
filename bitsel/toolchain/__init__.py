"""Finding and running the assemblers and simulators that a target's facts are held against."""
