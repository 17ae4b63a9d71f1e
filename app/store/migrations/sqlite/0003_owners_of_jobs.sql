-- A job belongs to the server that made it, and stays its own for as long as that
-- server stirs. beat is when it last did, by the clock of the database.

ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN beat INTEGER;
