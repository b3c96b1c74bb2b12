-- A game is one session at one table: its events in the order they were committed, each as its line of
-- JSON. Nothing in `events` is ever changed: a correction is one more event.
CREATE TABLE games (
    id           TEXT PRIMARY KEY,
    created      TEXT NOT NULL,
    changed      TEXT NOT NULL,
    profile      TEXT NOT NULL,
    profile_hash TEXT NOT NULL,
    over         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX games_by_change ON games (changed);

CREATE TABLE events (
    game TEXT    NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq  INTEGER NOT NULL,
    line TEXT    NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

-- Who has played here, for the list of names to choose from.
CREATE TABLE players (
    name TEXT PRIMARY KEY,
    last TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What each hand moved, by seat. It follows from the events and is written in the same transaction.
CREATE TABLE ledger (
    game   TEXT    NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    hand   INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    player TEXT    NOT NULL,
    wind   TEXT    NOT NULL,
    delta  INTEGER NOT NULL,
    won    INTEGER NOT NULL,
    PRIMARY KEY (game, hand, seat)
) STRICT, WITHOUT ROWID;
