-- Times are microseconds since 1970 in UTC, secrets are SHA-256 sums.

CREATE TABLE lists (
	id      TEXT   PRIMARY KEY,
	secret  BYTEA  NOT NULL,
	body    BYTEA  NOT NULL,
	version BIGINT NOT NULL,
	created BIGINT NOT NULL,
	updated BIGINT NOT NULL
);

CREATE TABLE api_keys (
	id        TEXT   PRIMARY KEY,
	hash      BYTEA  NOT NULL,
	name      TEXT   NOT NULL,
	scopes    TEXT   NOT NULL, -- names with commas between
	created   BIGINT NOT NULL,
	revoked   BIGINT,
	last_used BIGINT
);
