-- schema: worlds
-- Module webhooks. Deliveries to one endpoint that were made together and are expected to go well together: one row instead
-- of a row of delivery_queue for each, until they are done. Place by place a delivery, its event and its installation (an
-- empty text for none), the oldest first; the parcel has the id of its last. None of them was ever tried, and none is a
-- redelivery. Whatever is not plain success opens a parcel: its members become rows of delivery_queue, with the ids and times
-- they had, and the parcel is gone. created_at is real time, due_at the world's. No foreign keys, as in delivery_queue. Kept
-- in one piece: compressing ids costs more than it saves.
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
