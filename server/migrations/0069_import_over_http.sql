-- schema: worlds
-- The command line stores the place of an import beside the file. No service reads or writes this table.
drop table import_progress;
