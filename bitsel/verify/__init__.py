"""Holding a target's facts against what is known otherwise: an assembler, a simulator."""
