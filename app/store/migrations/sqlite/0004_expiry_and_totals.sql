-- A key may end by itself. A list is counted for the key that made it, or for nobody's.

ALTER TABLE api_keys ADD COLUMN expires INTEGER;
ALTER TABLE lists ADD COLUMN maker TEXT NOT NULL DEFAULT '';

-- What the lists of each maker come to, kept by the database: to count them anew for
-- every list that is saved would read them all.
CREATE TABLE list_totals (
	maker TEXT    PRIMARY KEY NOT NULL,
	lists INTEGER NOT NULL,
	bytes INTEGER NOT NULL
) STRICT;

INSERT INTO list_totals SELECT maker, count(*), sum(length(body)) FROM lists GROUP BY maker;

CREATE TRIGGER lists_counted_in AFTER INSERT ON lists BEGIN
	INSERT INTO list_totals VALUES (NEW.maker, 1, length(NEW.body))
		ON CONFLICT (maker) DO UPDATE SET lists = lists + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER lists_counted_anew AFTER UPDATE OF body ON lists BEGIN
	UPDATE list_totals SET bytes = bytes + length(NEW.body) - length(OLD.body) WHERE maker = NEW.maker;
END;

CREATE TRIGGER lists_counted_out AFTER DELETE ON lists BEGIN
	UPDATE list_totals SET lists = lists - 1, bytes = bytes - length(OLD.body) WHERE maker = OLD.maker;
END;

-- For the list of all lists.
CREATE INDEX lists_by_age ON lists (created, id);
