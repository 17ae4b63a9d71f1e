-- Times are microseconds since 1970 in UTC, secrets are SHA-256 sums.

CREATE TABLE lists (
	id      TEXT    PRIMARY KEY NOT NULL,
	secret  BLOB    NOT NULL,
	body    BLOB    NOT NULL,
	version INTEGER NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
	id        TEXT    PRIMARY KEY NOT NULL,
	hash      BLOB    NOT NULL,
	name      TEXT    NOT NULL,
	scopes    TEXT    NOT NULL, -- names with commas between
	created   INTEGER NOT NULL,
	revoked   INTEGER,
	last_used INTEGER
) STRICT;
