-- schema: worlds
-- Module events. The W3C traceparent of the transaction that caused the event; null if its trace was not sampled. The previous
-- release neither writes nor reads it.
alter table events add column trace text;
alter table events add constraint events_trace_form check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid;
