-- INSERT OR REPLACE removes the row that stands in its way, and asks no trigger on DELETE
-- about it. So no entry may come with the number of another.

CREATE TRIGGER audit_keeps_ids BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id) BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
