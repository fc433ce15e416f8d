-- schema: platform
-- Module apps. The versions of the usage conditions that operators published. The latest version is in force from the moment of its
-- publication; before the first one, the text that comes with the release is. A published text never changes. Real time.
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
