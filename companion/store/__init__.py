"""What outlives the program: score sheets being worked on, and the pictures they were read from."""

from companion.store.database import Database, StoreError
from companion.store.drafts import Draft, DraftStore, KeepConfig
from companion.store.refusals import NoSuchDraft, NothingToUndo, StaleEdit

__all__ = [
    "Database",
    "Draft",
    "DraftStore",
    "KeepConfig",
    "NoSuchDraft",
    "NothingToUndo",
    "StaleEdit",
    "StoreError",
]
