-- schema: worlds
create domain event_id as text collate "C"
  constraint event_id_form check (char_length(value) = 28 and value ~ '^evt_[0-9A-Za-z]+$');
create domain event_name as text collate "C" constraint event_name_form check (
  value ~ '^[a-z_]+\.[a-z_]+$' and char_length(split_part(value, '.', 1)) <= 40
  and char_length(split_part(value, '.', 2)) <= 40);
create domain event_data as jsonb
  constraint event_data_object check (jsonb_typeof(value) = 'object' and octet_length(value::text) <= 65536);
create domain event_identity as jsonb
  constraint event_identity_object check (jsonb_typeof(value) = 'object' and octet_length(value::text) <= 20000);

-- Module events. Everything that happened, written in the transaction that made it happen. recorded_at is the
-- database's clock (compared with subscriptions), occurred_at the world's. `identity` holds names and addresses apart
-- from `data`, so that they can be erased.
-- What an event is about stands in columns of its own, copied from rows of the same transaction and without foreign
-- keys: their checks would lock the company's and the offering's row once more for every event (tried: they took
-- longer than the rest of the insert), and none of these rows is ever deleted. Nor is their form checked again, a
-- quarter of the insert's time: the rows they come from have ids of that form.
create table events (
  id event_id not null,
  name event_name not null,
  recorded_at timestamptz not null default clock_timestamp(),
  occurred_at timestamptz not null,
  company_id text collate "C",
  syndicate_id text collate "C",
  user_id text collate "C",
  offering_id text collate "C",
  investment_id text collate "C",
  membership_id text collate "C",
  join_session_id text collate "C",
  investment_session_id text collate "C",
  installation_id text collate "C",
  fact_id fact_id,
  data event_data not null,
  identity event_identity,
  constraint events_pkey primary key (id)
);

-- Erasing a deactivated user: events about them, those sent to their address before it had an account, and those in
-- which they approved or invited somebody.
create index events_erasable on events (user_id) where identity is not null;
create index events_sent_to on events (lower((identity ->> 'email') collate "C")) where user_id is null and identity is not null;
create index events_naming on events (coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}'))
  where identity is not null and coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}') is not null;

-- What a fact caused, for its repeats.
create index events_fact on events (fact_id) where fact_id is not null;

-- The history a session shows.
create index events_investment_session on events (investment_session_id, id) where investment_session_id is not null;

-- Module events. The to-do list of fan-out: a row per event, taken with skip locked and deleted.
create table event_queue (
  seq bigint generated always as identity,
  event_id text collate "C" not null,
  constraint event_queue_pkey primary key (seq),
  constraint event_queue_event_key unique (event_id),
  constraint event_queue_event_fkey foreign key (event_id) references events (id)
);
