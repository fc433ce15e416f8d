-- schema: worlds
-- no transaction
-- Module events. Validating the rule of 0079 locks no writer out.
alter table events validate constraint events_trace_form;
