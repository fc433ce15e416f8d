-- schema: worlds
-- no transaction
-- Module events. This file validates the constraint of 0079. The validation does not block writers.
alter table events validate constraint events_trace_form;
