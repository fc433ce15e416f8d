-- schema: worlds
-- Module syndicates. The list of a syndicate's directory: its members, and the invited people who have not answered.

-- The key by which a person is found and sorted: the name as the search compares it, then the address. A deactivated
-- user has neither, so their key sorts last. The name is cut to 200 characters, because an index entry has a maximum
-- length.
create function directory_fold(name text, email text) returns text
  language sql immutable parallel safe
  return coalesce(left(search_fold(coalesce(name, email)), 200) || e'\n' || lower(email collate "C"), e'\uffff')
    collate "C";

-- Where a person lives, as the search compares it; empty if the person hides it.
create function directory_place(city text, state text, country text, hidden boolean) returns text
  language sql immutable parallel safe
  return case when hidden then '' else search_fold(coalesce(city, '') || ', ' || coalesce(state, '') || ', ' || coalesce(country, '')) end
    collate "C";

-- Makes an id in the same form as the server. It is for rows that exist already, and for servers of the previous
-- release, which insert no id.
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

-- id: the invitation's id in the list, by which it can be sent again.
-- open: true until the person is in the directory as a member or an applicant.
-- Adding these columns rewrites the table, which is small compared with memberships.
alter table syndicate_invitations add column id text collate "C" not null default new_invitation_id();
alter table syndicate_invitations add column open boolean not null default true;
alter table syndicate_invitations add column directory_key text collate "C" not null
  generated always as (directory_fold(name, email)) stored;
alter table syndicate_invitations add constraint syndicate_invitations_id_form check (id ~ '^mem_[0-9A-Za-z]{24}$');
alter table syndicate_invitations add constraint syndicate_invitations_id_key unique (syndicate_id, id);

create index syndicate_invitations_directory on syndicate_invitations (syndicate_id, id) where open;
create index syndicate_invitations_newest on syndicate_invitations (syndicate_id, invited_at, id) where open;
create index syndicate_invitations_alphabetical on syndicate_invitations (syndicate_id, directory_key, id) where open;

-- directory_key, directory_place and accredited are copies of the user's data. A large directory is sorted and
-- filtered by them, so that only users who are shown are looked up.
-- directory_tags: what the member can help with, from `profile`.
-- Adding these columns neither rewrites nor reads the table. The next migration does the slow work, while facts
-- arrive.
alter table memberships add column directory_key text collate "C" not null default e'\uffff';
alter table memberships add column directory_place text collate "C" not null default '';
alter table memberships add column accredited boolean not null default false;
alter table memberships add column directory_tags text collate "C";
alter table memberships add constraint memberships_directory_key_length check (char_length(directory_key) <= 500) not valid;
alter table memberships add constraint memberships_directory_place_length check (octet_length(directory_place) <= 30000) not valid;
alter table memberships add constraint memberships_directory_tags_length check (octet_length(directory_tags) <= 400000) not valid;

-- These functions name the schema, so that a trigger does not depend on the search_path of the session that writes
-- the row.
do $outside$
begin
  execute format($inside$
    create function directory_follows_membership() returns trigger language plpgsql as $body$
    begin
      select %1$I.directory_fold(u.name, u.email), u.accreditation <> 'none',
             %1$I.directory_place(u.city, u.state, u.country, u.location_hidden)
        into new.directory_key, new.accredited, new.directory_place
        from %1$I.users u where u.id = new.user_id;
      -- If the user does not exist, the insert must fail at the foreign key, and not because these columns are null.
      new.directory_key := coalesce(new.directory_key, e'\uffff');
      new.accredited := coalesce(new.accredited, false);
      new.directory_place := coalesce(new.directory_place, '');
      return new;
    end $body$;
    create function directory_follows_entry() returns trigger language plpgsql as $body$
    begin
      new.directory_tags := %1$I.search_fold(new.profile ->> 'tags');
      return new;
    end $body$;
    create function directory_follows_person() returns trigger language plpgsql as $body$
    begin
      update %1$I.memberships
         set directory_key = %1$I.directory_fold(new.name, new.email), accredited = new.accreditation <> 'none',
             directory_place = %1$I.directory_place(new.city, new.state, new.country, new.location_hidden)
       where user_id = new.id;
      -- If a member takes the address of an open invitation, the invitation is closed, because the person is already
      -- in the directory.
      if new.email is distinct from old.email then
        update %1$I.syndicate_invitations i set open = false
         where i.open and i.email_key = lower(new.email)
           and exists (select from %1$I.memberships m
                        where m.syndicate_id = i.syndicate_id and m.user_id = new.id
                          and m.status in ('member', 'pending', 'approved', 'payment_failed'));
      end if;
      return null;
    end $body$;
    -- Fills the columns of memberships that exist already, in small batches, so that no other transaction waits long.
    -- Rows are locked in the order of ids, as in every transaction that locks several. Can be removed in a later
    -- release.
    create procedure fill_directory() language plpgsql as $body$
    declare
      batch text[];
      after text := '';
    begin
      loop
        select array_agg(id order by id) into batch
          from (select id from %1$I.memberships where id > after order by id limit 5000 for no key update) next;
        exit when batch is null;
        update %1$I.memberships m
           set directory_key = %1$I.directory_fold(u.name, u.email), accredited = u.accreditation <> 'none',
               directory_place = %1$I.directory_place(u.city, u.state, u.country, u.location_hidden),
               directory_tags = %1$I.search_fold(m.profile ->> 'tags')
          from %1$I.users u where u.id = m.user_id and m.id = any(batch);
        commit;
        after := batch[array_upper(batch, 1)];
      end loop;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger memberships_in_directory before insert on memberships
  for each row execute function directory_follows_membership();
-- Most new memberships have no tags, so for them this trigger does not run.
create trigger memberships_entry_in_directory before insert on memberships
  for each row when (new.profile ? 'tags') execute function directory_follows_entry();
create trigger memberships_entry_follows before update of profile on memberships
  for each row when (old.profile -> 'tags' is distinct from new.profile -> 'tags') execute function directory_follows_entry();
-- Deactivating a user changes these columns too, so no personal data stays in memberships.
create trigger users_in_directory
  after update of name, email, accreditation, city, state, country, location_hidden on users
  for each row when (
    (old.name, old.email, old.accreditation, old.city, old.state, old.country, old.location_hidden)
    is distinct from
    (new.name, new.email, new.accreditation, new.city, new.state, new.country, new.location_hidden))
  execute function directory_follows_person();
