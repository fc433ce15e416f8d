-- schema: worlds
-- Module activity. What an app did for a user, or tried to do. An entry contains only ids and our own words: no text
-- that a person typed, no names and no secrets. The transaction of an action also writes its entry. Entries are
-- deleted after 90 days of world time, or when their user is erased.
-- app_id has no foreign key: its check would lock the app's row for every write of every user of the app, and no
-- app's row is ever deleted. resource_id has none either: it is a copy of an id, and if the app's request was
-- rejected, a record with that id may never have existed.
create table activity_entries (
  id text collate "C" not null,
  user_id text collate "C" not null,
  app_id text collate "C" not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  resource_id text collate "C",
  changed_fields text[] collate "C",
  status text collate "C" not null,
  error_type text collate "C",
  intent_id text collate "C",
  request_id text collate "C",
  occurred_at timestamptz not null default world_now(),
  recorded_at timestamptz not null default clock_timestamp(),
  constraint activity_entries_pkey primary key (id),
  constraint activity_entries_id_form check (id ~ '^act_[0-9A-Za-z]{24}$'),
  constraint activity_entries_actor_known check (actor in ('app', 'user', 'system')),
  constraint activity_entries_action_form check (action ~ '^[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)+$' and char_length(action) <= 100),
  constraint activity_entries_about_ids check (
    char_length(app_id) <= 40 and char_length(resource_id) <= 40 and char_length(intent_id) <= 40
    and char_length(request_id) <= 40),
  constraint activity_entries_changed_fields_bounded check (
    cardinality(changed_fields) <= 100 and array_position(changed_fields, null) is null),
  constraint activity_entries_status_known check (status in ('success', 'failure', 'denied')),
  constraint activity_entries_refusal_typed check (
    (status = 'success') = (error_type is null) and char_length(error_type) <= 40),
  constraint activity_entries_user_fkey foreign key (user_id) references users (id)
);

-- The first index lists a user's entries, newest first. The others are for filters that can match very few of many
-- entries. Entries that are not a success are few.
create index activity_entries_user on activity_entries (user_id, occurred_at, id);
create index activity_entries_app on activity_entries (user_id, app_id, occurred_at, id);
create index activity_entries_resource on activity_entries (user_id, resource_id, occurred_at, id) where resource_id is not null;
create index activity_entries_refused on activity_entries (user_id, status, occurred_at, id) where status <> 'success';
