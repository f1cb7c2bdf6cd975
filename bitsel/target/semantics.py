"""(to be written by the semantics owner)"""
