"""Programs before and after rewriting, run on the same memory.

``pytest tests/differential --functions N`` runs N functions per compiler and level (``make fuzz N=…``).
"""

from __future__ import annotations
