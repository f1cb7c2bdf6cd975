"""Verification: what a target's table says, held against itself, against proof, and against real tools."""
