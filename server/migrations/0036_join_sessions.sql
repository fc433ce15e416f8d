-- schema: worlds
-- Module sessions. app_id, return_url, frame_origins and appearance are set only for a join session that an app
-- created, not for a session that the host platform reported. app_id: the app that created the session. return_url:
-- where the person goes afterwards.
-- frame_origins is set for an embedded session: the origins that may show its first step in a frame. appearance: a
-- copy of the theme's colors and corners. With the copy, the page needs no other row, and the look of a session never
-- changes.
-- applied: the person made the open application through this session, and not earlier or in another place.
alter table join_sessions add column app_id text collate "C";
alter table join_sessions add column return_url text;
alter table join_sessions add column frame_origins text[] collate "C";
alter table join_sessions add column appearance jsonb;
alter table join_sessions add column applied boolean not null default false;
alter table join_sessions
  add constraint join_sessions_app_fkey foreign key (app_id) references platform.apps (id),
  add constraint join_sessions_return_url_form check (char_length(return_url) <= 2000 and return_url ~ '^https?://'),
  add constraint join_sessions_frame_origins_bounded check (
    cardinality(frame_origins) between 1 and 10 and array_position(frame_origins, null) is null),
  add constraint join_sessions_appearance_object check (
    jsonb_typeof(appearance) = 'object' and octet_length(appearance::text) <= 1000),
  add constraint join_sessions_appearance_framed check (appearance is null or frame_origins is not null);
create index join_sessions_app on join_sessions (app_id) where app_id is not null;

-- Module sessions. A row is one version of a theme: the look of an app's forms on a syndicate. A version never
-- changes. Each change creates the next version. A color is `#` and six lower-case hexadecimal digits. The server
-- accepts only colors with enough contrast to read the text.
create table join_themes (
  id text collate "C" not null,
  version integer not null,
  app_id text collate "C" not null,
  syndicate_id text collate "C" not null,
  name text not null,
  accent text collate "C" not null,
  paper text collate "C" not null,
  ink text collate "C" not null,
  corners text collate "C" not null,
  created_at timestamptz not null default world_now(),
  constraint join_themes_pkey primary key (id, version),
  constraint join_themes_id_form check (id ~ '^thm_[0-9A-Za-z]{24}$'),
  constraint join_themes_version_bounded check (version between 1 and 1000),
  constraint join_themes_name_length check (char_length(name) between 1 and 100),
  constraint join_themes_accent_form check (accent ~ '^#[0-9a-f]{6}$'),
  constraint join_themes_paper_form check (paper ~ '^#[0-9a-f]{6}$'),
  constraint join_themes_ink_form check (ink ~ '^#[0-9a-f]{6}$'),
  constraint join_themes_corners_known check (corners in ('square', 'rounded', 'round')),
  constraint join_themes_app_fkey foreign key (app_id) references platform.apps (id),
  constraint join_themes_syndicate_fkey foreign key (syndicate_id) references syndicates (id)
);
create index join_themes_syndicate on join_themes (syndicate_id, app_id, id, version);
create index join_themes_app on join_themes (app_id);

-- Module syndicates. member_countries: the countries where members may live, as ISO 3166 codes of two letters. Null
-- means that members may live anywhere.
alter table syndicates add column member_countries text[] collate "C";
alter table syndicates add constraint syndicates_member_countries_bounded check (
  cardinality(member_countries) between 1 and 250 and array_position(member_countries, null) is null
  and array_to_string(member_countries, ' ') ~ '^[A-Z]{2}( [A-Z]{2})*$');
