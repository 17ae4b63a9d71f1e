CREATE TABLE jobs (
	id         TEXT    PRIMARY KEY NOT NULL,
	kind       TEXT    NOT NULL,
	state      TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
	parameters BLOB    NOT NULL,
	progress   BLOB,
	failure    TEXT    NOT NULL,
	created    INTEGER NOT NULL,
	started    INTEGER,
	ended      INTEGER
) STRICT;

CREATE INDEX jobs_by_age ON jobs (created, id);

-- AUTOINCREMENT never gives a number twice, which a page's cursor relies on.
CREATE TABLE audit (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	time       INTEGER NOT NULL,
	key_id     TEXT    NOT NULL,
	action     TEXT    NOT NULL,
	detail     TEXT    NOT NULL,
	request_id TEXT    NOT NULL
) STRICT;

CREATE TRIGGER audit_keeps_entries BEFORE DELETE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER audit_keeps_words BEFORE UPDATE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
