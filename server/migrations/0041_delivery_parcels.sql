-- schema: worlds
-- Module webhooks. A row is a delivery batch: deliveries to one endpoint that were created together and will probably
-- all succeed. The row replaces a row of delivery_queue for each delivery, until all of them are delivered.
-- delivery_ids, event_ids and installation_ids are parallel arrays, with the oldest delivery first. An empty
-- installation id means that the delivery has no installation. id: the id of the last delivery. No delivery in a
-- batch was tried before, and no delivery in a batch is a redelivery.
-- If any delivery has an outcome other than success, all of them become rows of delivery_queue with the same ids and
-- times. The batch is deleted then. created_at is real time, due_at is world time. There are no foreign keys, as in
-- delivery_queue.
-- toast_tuple_target keeps a row uncompressed, because compressing the ids costs more than it saves.
create table delivery_parcels (
  id delivery_id not null,
  endpoint_id text collate "C" not null,
  api_version text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default world_now(),
  delivery_ids text[] collate "C" not null,
  event_ids text[] collate "C" not null,
  installation_ids text[] collate "C" not null,
  constraint delivery_parcels_pkey primary key (id),
  constraint delivery_parcels_about_ids check (octet_length(endpoint_id) <= 40 and octet_length(api_version) <= 40),
  constraint delivery_parcels_members check (
    cardinality(delivery_ids) between 1 and 64 and cardinality(event_ids) = cardinality(delivery_ids)
    and cardinality(installation_ids) = cardinality(delivery_ids)
    and array_position(delivery_ids, null) is null and array_position(event_ids, null) is null
    and array_position(installation_ids, null) is null),
  constraint delivery_parcels_named_by_last check (delivery_ids[cardinality(delivery_ids)] = id)
) with (toast_tuple_target = 8160);

create index delivery_parcels_lane on delivery_parcels (endpoint_id, id);
