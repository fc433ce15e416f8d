-- schema: worlds
-- These domains check every event. The old check of event_data converted the data to text only to measure its length.
-- The server creates all event ids, so a check of their prefix and length is enough. The constraints are `not valid`,
-- because the stored events passed stricter checks.
alter domain event_id drop constraint event_id_form;
alter domain event_id add constraint event_id_form
  check (octet_length(value) = 28 and starts_with(value, 'evt_')) not valid;
-- The new check measures the stored size. For an object of texts, this size is about the length of the JSON text.
alter domain event_data drop constraint event_data_object;
alter domain event_data add constraint event_data_object
  check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 65536) not valid;
alter domain event_identity drop constraint event_identity_object;
alter domain event_identity add constraint event_identity_object
  check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 20000) not valid;
