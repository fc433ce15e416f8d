-- schema: platform
-- Module apps. A row is a version of the usage conditions that an operator published. A version is in force from its
-- publication. The version in force is the latest one, either published here or included in the release. A published
-- text never changes. published_at is real time.
create table usage_conditions (
  version text collate "C" not null,
  text text not null,
  published_at timestamptz not null default clock_timestamp(),
  published_by text collate "C" not null,
  constraint usage_conditions_pkey primary key (version),
  constraint usage_conditions_version_form check (version ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint usage_conditions_text_length check (char_length(text) between 100 and 100000),
  constraint usage_conditions_published_by_length check (char_length(published_by) between 1 and 100)
);

create trigger usage_conditions_append_only before update or delete or truncate on usage_conditions
  for each statement execute function refuse_change();
