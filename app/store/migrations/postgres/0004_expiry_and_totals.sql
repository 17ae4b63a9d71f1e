-- A key may end by itself. A list is counted for the key that made it, or for nobody's.

ALTER TABLE api_keys ADD COLUMN expires BIGINT;
ALTER TABLE lists ADD COLUMN maker TEXT NOT NULL DEFAULT '';

-- What the lists of each maker come to, kept by the database: to count them anew for
-- every list that is saved would read them all.
CREATE TABLE list_totals (
	maker TEXT   PRIMARY KEY,
	lists BIGINT NOT NULL,
	bytes BIGINT NOT NULL
);

INSERT INTO list_totals SELECT maker, count(*), sum(length(body)) FROM lists GROUP BY maker;

CREATE FUNCTION count_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO list_totals VALUES (NEW.maker, 1, length(NEW.body))
			ON CONFLICT (maker) DO UPDATE SET lists = list_totals.lists + 1, bytes = list_totals.bytes + excluded.bytes;
	ELSIF TG_OP = 'UPDATE' THEN
		UPDATE list_totals SET bytes = bytes + length(NEW.body) - length(OLD.body) WHERE maker = NEW.maker;
	ELSE
		UPDATE list_totals SET lists = lists - 1, bytes = bytes - length(OLD.body) WHERE maker = OLD.maker;
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER lists_counted AFTER INSERT OR DELETE OR UPDATE OF body ON lists
	FOR EACH ROW EXECUTE FUNCTION count_lists();

-- For the list of all lists.
CREATE INDEX lists_by_age ON lists (created, id);
