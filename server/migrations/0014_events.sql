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

-- Module events. Every event, written in the transaction that caused it. recorded_at is the database's clock, because
-- it is compared with the times of subscriptions; occurred_at is world time.
-- identity: names and addresses. They are apart from `data`, so that they can be erased.
-- The ids of the records that an event is about have their own columns. They are copies from rows of the same
-- transaction, and none of these rows is ever deleted. So they have no foreign keys: the checks would lock the rows
-- of the company and the offering again for every event. In a test, these checks took longer than the rest of the
-- insert. The form of these ids is not checked again, because the rows they come from have ids of that form. Such
-- checks took a quarter of the insert's time.
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

-- For the erasure of a deactivated user. It finds events about the user, and events sent to the user's address before
-- the user existed. It also finds events in which the user approved or invited a person.
create index events_erasable on events (user_id) where identity is not null;
create index events_sent_to on events (lower((identity ->> 'email') collate "C")) where user_id is null and identity is not null;
create index events_naming on events (coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}'))
  where identity is not null and coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}') is not null;

-- For a repeated fact: finds the events that the fact caused.
create index events_fact on events (fact_id) where fact_id is not null;

-- For the history that an investment session shows.
create index events_investment_session on events (investment_session_id, id) where investment_session_id is not null;

-- Module events. The queue of fan-out: one row for each event. Workers take rows with `skip locked` and delete them.
create table event_queue (
  seq bigint generated always as identity,
  event_id text collate "C" not null,
  constraint event_queue_pkey primary key (seq),
  constraint event_queue_event_key unique (event_id),
  constraint event_queue_event_fkey foreign key (event_id) references events (id)
);
