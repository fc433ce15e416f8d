-- schema: worlds
-- Every event passes these, and its data was turned to text again only to see how long it is. An id is made by us, and what it
-- begins with and its length say as much as looking at each of its characters. What stands in the tables met more than this.
alter domain event_id drop constraint event_id_form;
alter domain event_id add constraint event_id_form
  check (octet_length(value) = 28 and starts_with(value, 'evt_')) not valid;
-- As it is stored: for an object of texts about as long as it is written.
alter domain event_data drop constraint event_data_object;
alter domain event_data add constraint event_data_object
  check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 65536) not valid;
alter domain event_identity drop constraint event_identity_object;
alter domain event_identity add constraint event_identity_object
  check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 20000) not valid;
