-- schema: worlds
-- Module syndicates. A syndicate's directory as it is listed: members and, until they answer, those who were invited.

-- Under what a person is found and stands in the alphabet: the name as search compares it, then the address. Whoever was
-- deactivated has neither and comes last. No longer than an index can hold.
create function directory_fold(name text, email text) returns text
  language sql immutable parallel safe
  return coalesce(left(search_fold(coalesce(name, email)), 200) || e'\n' || lower(email collate "C"), e'\uffff')
    collate "C";

-- Where they live, as search compares it; nothing where they hide it.
create function directory_place(city text, state text, country text, hidden boolean) returns text
  language sql immutable parallel safe
  return case when hidden then '' else search_fold(coalesce(city, '') || ', ' || coalesce(state, '') || ', ' || coalesce(country, '')) end
    collate "C";

-- Of the person: what a directory of many is sorted and filtered by, so that nobody is looked up who is not shown. Of the
-- entry: what a member can help with.
alter table memberships add column directory_key text collate "C" not null default e'\uffff';
alter table memberships add column directory_place text collate "C" not null default '';
alter table memberships add column accredited boolean not null default false;
alter table memberships add column directory_tags text collate "C" generated always as (search_fold(profile ->> 'tags') collate "C") stored;
alter table memberships add constraint memberships_directory_key_length check (char_length(directory_key) <= 500);
alter table memberships add constraint memberships_directory_place_length check (octet_length(directory_place) <= 30000);
alter table memberships add constraint memberships_directory_tags_length check (octet_length(directory_tags) <= 400000);

update memberships m
   set directory_key = directory_fold(u.name, u.email), accredited = u.accreditation <> 'none',
       directory_place = directory_place(u.city, u.state, u.country, u.location_hidden)
  from users u where u.id = m.user_id;

-- What triggers run names its schema, so that it does not depend on the search_path of whoever writes the row.
do $outside$
begin
  execute format($inside$
    create function directory_follows_membership() returns trigger language plpgsql as $body$
    begin
      select %1$I.directory_fold(u.name, u.email), u.accreditation <> 'none',
             %1$I.directory_place(u.city, u.state, u.country, u.location_hidden)
        into new.directory_key, new.accredited, new.directory_place
        from %1$I.users u where u.id = new.user_id;
      -- Nobody: the foreign key says so, and not this.
      new.directory_key := coalesce(new.directory_key, e'\uffff');
      new.accredited := coalesce(new.accredited, false);
      new.directory_place := coalesce(new.directory_place, '');
      return new;
    end $body$;
    create function directory_follows_person() returns trigger language plpgsql as $body$
    begin
      update %1$I.memberships
         set directory_key = %1$I.directory_fold(new.name, new.email), accredited = new.accreditation <> 'none',
             directory_place = %1$I.directory_place(new.city, new.state, new.country, new.location_hidden)
       where user_id = new.id;
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger memberships_in_directory before insert on memberships
  for each row execute function directory_follows_membership();
-- Deactivating is such a change: nothing of a person stays behind.
create trigger users_in_directory
  after update of name, email, accreditation, city, state, country, location_hidden on users
  for each row when (
    (old.name, old.email, old.accreditation, old.city, old.state, old.country, old.location_hidden)
    is distinct from
    (new.name, new.email, new.accreditation, new.city, new.state, new.country, new.location_hidden))
  execute function directory_follows_person();

-- Each order of the list; how many members there are.
create index memberships_directory on memberships (syndicate_id, coalesce(sort_order, 2147483647), id);
create index memberships_newest on memberships (syndicate_id, created_at, id);
create index memberships_alphabetical on memberships (syndicate_id, directory_key, id);
create index memberships_last_activity on memberships
  (syndicate_id, (coalesce(profile ->> 'last_activity_at', '') collate "C"), id);
create index memberships_members on memberships (syndicate_id) where status = 'member';

-- As the server makes ids. For whoever does not bring one: the rows that are there, and a server of the release before.
create function new_invitation_id() returns text
  language sql volatile
  return (
    with alphabet as (select '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' as letters),
         moment as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms)
    select 'mem_'
        || (select string_agg(substr(letters, 1 + (ms / (62::numeric ^ digit)::bigint % 62)::int, 1), '' order by digit desc)
              from alphabet, moment, generate_series(0, 7) digit)
        || (select string_agg(substr(letters, 1 + floor(random() * 62)::int, 1), '')
              from alphabet, generate_series(1, 16)));

-- An invitation in the list has an id there, by which it can be sent again. It is open until somebody joins on it.
alter table syndicate_invitations add column id text collate "C" not null default new_invitation_id();
alter table syndicate_invitations add column open boolean not null default true;
alter table syndicate_invitations add column directory_key text collate "C" not null
  generated always as (directory_fold(name, email)) stored;
alter table syndicate_invitations add constraint syndicate_invitations_id_form check (id ~ '^mem_[0-9A-Za-z]{24}$');
alter table syndicate_invitations add constraint syndicate_invitations_id_key unique (syndicate_id, id);

update syndicate_invitations i set open = false
 where exists (
   select from memberships m
    where m.syndicate_id = i.syndicate_id and m.joined_at is not null
      and (m.user_id = i.user_id or lower(m.invited_email) = i.email_key));

create index syndicate_invitations_directory on syndicate_invitations (syndicate_id, id) where open;
create index syndicate_invitations_newest on syndicate_invitations (syndicate_id, invited_at, id) where open;
create index syndicate_invitations_alphabetical on syndicate_invitations (syndicate_id, directory_key, id) where open;
