-- schema: worlds
-- Module content. A row is the story on a company's page, sanitized and split into blocks. The original HTML is not
-- stored.
create table company_pitches (
  company_id text collate "C" not null,
  title text,
  authored_by text not null,
  disclaimer text,
  blocks jsonb not null,
  inline_images_omitted integer not null,
  published_at timestamptz not null,
  constraint company_pitches_pkey primary key (company_id),
  constraint company_pitches_title_length check (char_length(title) between 1 and 200),
  constraint company_pitches_author_known check (authored_by in ('company', 'platform')),
  constraint company_pitches_disclaimer_length check (char_length(disclaimer) between 1 and 2000),
  constraint company_pitches_disclaimer_of_platform check ((disclaimer is not null) = (authored_by = 'platform')),
  constraint company_pitches_blocks_list check (jsonb_typeof(blocks) = 'array' and octet_length(blocks::text) <= 4000000),
  constraint company_pitches_omitted_not_negative check (inline_images_omitted >= 0),
  constraint company_pitches_company_fkey foreign key (company_id) references companies (id)
);

-- Module content. A row lists what investors in an offering get in addition to the security, in tiers by amount. A
-- change replaces all tiers.
create table offering_perks (
  offering_id text collate "C" not null,
  tiers jsonb not null,
  constraint offering_perks_pkey primary key (offering_id),
  constraint offering_perks_tiers_list check (jsonb_typeof(tiers) = 'array' and octet_length(tiers::text) <= 1000000),
  constraint offering_perks_offering_fkey foreign key (offering_id) references offerings (id)
);

-- Module content. A row contains the disclosures filed for an offering (Form C). A new filing replaces the whole row.
-- hidden: the sections that the company hides.
create table offering_disclosures (
  offering_id text collate "C" not null,
  sections jsonb not null,
  hidden text[] not null,
  filed_at timestamptz not null,
  constraint offering_disclosures_pkey primary key (offering_id),
  constraint offering_disclosures_sections_object check (
    jsonb_typeof(sections) = 'object' and octet_length(sections::text) <= 4000000),
  constraint offering_disclosures_hidden_known check (hidden <@ array[
    'business', 'financial_statements', 'ratios', 'current_position', 'financial_condition',
    'financial_statement_documents', 'investment_documents', 'risks', 'use_of_funds', 'directors', 'officers',
    'voting_power', 'capital_structure', 'prior_offerings', 'outstanding_notes', 'outstanding_debts',
    'related_parties']),
  constraint offering_disclosures_offering_fkey foreign key (offering_id) references offerings (id)
);

-- Module content. A row is a post on a company's page, as plain text. A removed post keeps its row, so that its id is
-- not used again.
create table company_updates (
  id text collate "C" not null,
  company_id text collate "C" not null,
  author_id text collate "C",
  kind text not null,
  title text,
  content text not null,
  visibility text not null,
  pinned boolean not null,
  url text,
  likes_count integer not null,
  comments_count integer not null,
  published_at timestamptz not null,
  removed_at timestamptz,
  constraint company_updates_pkey primary key (id),
  constraint company_updates_id_form check (id ~ '^upd_[0-9A-Za-z]{24}$'),
  constraint company_updates_kind_form check (kind ~ '^[a-z_]{1,40}$'),
  constraint company_updates_title_length check (char_length(title) between 1 and 300),
  constraint company_updates_content_length check (char_length(content) <= 400000),
  constraint company_updates_visibility_known check (
    visibility in ('public', 'investors', 'community', 'founders', 'private')),
  constraint company_updates_url_form check (char_length(url) <= 2000 and url ~ '^(https?://|/[^/])'),
  constraint company_updates_likes_not_negative check (likes_count >= 0),
  constraint company_updates_comments_not_negative check (comments_count >= 0),
  constraint company_updates_company_fkey foreign key (company_id) references companies (id),
  constraint company_updates_author_fkey foreign key (author_id) references users (id)
);

create index company_updates_page on company_updates (company_id, pinned, published_at, id) where removed_at is null;
create index company_updates_company on company_updates (company_id);
create index company_updates_author on company_updates (author_id);

-- Module companies. question_id: the question of a reply's thread, so that one index reads a whole thread. The server
-- inserts a reply without question_id, and the trigger sets it.
-- removed_at: when a comment was removed. The row stays, because intents and readers may still refer to its id.
alter table comments add column question_id text collate "C", add column removed_at timestamptz;

with recursive threads as (
  select id, id as question_id from comments where parent_id is null
  union all
  select reply.id, threads.question_id from threads join comments reply on reply.parent_id = threads.id)
update comments set question_id = threads.question_id from threads
 where comments.id = threads.id and comments.parent_id is not null;

create function comment_thread() returns trigger
  language plpgsql
  as $$
begin
  -- The function uses the schema of the trigger's table, so that the result does not depend on the search_path of the
  -- session.
  execute format('select coalesce(question_id, id) from %I.comments where id = $1', tg_table_schema)
    into new.question_id using new.parent_id;
  return new;
end
$$;

create trigger comments_thread before insert on comments
  for each row when (new.parent_id is not null) execute function comment_thread();

alter table comments
  add constraint comments_question_fkey foreign key (question_id, company_id) references comments (id, company_id);

create index comments_thread on comments (question_id, company_id, posted_at, id) where question_id is not null;
create index comments_words on comments using gin (to_tsvector('english'::regconfig, body));
