-- schema: worlds
-- Module events. trace: the W3C traceparent of the transaction that caused the event, or null if its trace was not
-- sampled. Servers of the previous release neither write nor read the column.
alter table events add column trace text;
alter table events add constraint events_trace_form check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid;
