-- For SQLite, whose REPLACE passes by its triggers. Here ON CONFLICT DO UPDATE is an
-- update, which the triggers refuse.

SELECT 1;
