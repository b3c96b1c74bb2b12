-- A draft is one score sheet being worked on. `body` is the edited sheet, its circumstances and its
-- rules as JSON; `reading` is what the eyes saw, kept as it was read.
CREATE TABLE drafts (
    id      TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    body    TEXT NOT NULL,
    reading TEXT
) STRICT;
CREATE INDEX drafts_by_change ON drafts (changed);

-- Earlier bodies of a draft, the newest on top: what "undo" goes back to.
CREATE TABLE revisions (
    draft   TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (draft, version)
) STRICT, WITHOUT ROWID;

-- The picture of a draft lies in pictures/<draft>.jpg; this says how much room it takes.
CREATE TABLE pictures (
    draft TEXT PRIMARY KEY REFERENCES drafts (id) ON DELETE CASCADE,
    added TEXT NOT NULL,
    size  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Small values the house must remember between starts, such as the key that signs cookies.
CREATE TABLE keepsakes (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
