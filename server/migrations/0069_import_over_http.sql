-- schema: worlds
-- The command line stores the progress of an import in a file beside the imported file. The server does not use this
-- table.
drop table import_progress;
