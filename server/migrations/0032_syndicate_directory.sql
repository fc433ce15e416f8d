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

-- An invitation in the list has an id there, by which it can be sent again. It is open until the person is in the directory
-- as something else. This rewrites the table, which is small beside that of memberships.
alter table syndicate_invitations add column id text collate "C" not null default new_invitation_id();
alter table syndicate_invitations add column open boolean not null default true;
alter table syndicate_invitations add column directory_key text collate "C" not null
  generated always as (directory_fold(name, email)) stored;
alter table syndicate_invitations add constraint syndicate_invitations_id_form check (id ~ '^mem_[0-9A-Za-z]{24}$');
alter table syndicate_invitations add constraint syndicate_invitations_id_key unique (syndicate_id, id);

create index syndicate_invitations_directory on syndicate_invitations (syndicate_id, id) where open;
create index syndicate_invitations_newest on syndicate_invitations (syndicate_id, invited_at, id) where open;
create index syndicate_invitations_alphabetical on syndicate_invitations (syndicate_id, directory_key, id) where open;

-- Of the person: what a directory of many is sorted and filtered by, so that nobody is looked up who is not shown. Of the
-- entry: what a member can help with. No column here rewrites the table, and nothing is read: what takes long is in the
-- next file, while facts come in.
alter table memberships add column directory_key text collate "C" not null default e'\uffff';
alter table memberships add column directory_place text collate "C" not null default '';
alter table memberships add column accredited boolean not null default false;
alter table memberships add column directory_tags text collate "C";
alter table memberships add constraint memberships_directory_key_length check (char_length(directory_key) <= 500) not valid;
alter table memberships add constraint memberships_directory_place_length check (octet_length(directory_place) <= 30000) not valid;
alter table memberships add constraint memberships_directory_tags_length check (octet_length(directory_tags) <= 400000) not valid;

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
      -- Where a member has taken the address that an invitation went to, nobody is left to answer it.
      if new.email is distinct from old.email then
        update %1$I.syndicate_invitations i set open = false
         where i.open and i.email_key = lower(new.email)
           and exists (select from %1$I.memberships m
                        where m.syndicate_id = i.syndicate_id and m.user_id = new.id
                          and m.status in ('member', 'pending', 'approved', 'payment_failed'));
      end if;
      return null;
    end $body$;
    -- What was there before, a few at a time: nobody waits for all of it. In the order of ids, as whoever takes several
    -- does. To be removed a release later.
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
-- Most have nothing in them.
create trigger memberships_entry_in_directory before insert on memberships
  for each row when (new.profile ? 'tags') execute function directory_follows_entry();
create trigger memberships_entry_follows before update of profile on memberships
  for each row when (old.profile -> 'tags' is distinct from new.profile -> 'tags') execute function directory_follows_entry();
-- Deactivating is such a change: nothing of a person stays behind.
create trigger users_in_directory
  after update of name, email, accreditation, city, state, country, location_hidden on users
  for each row when (
    (old.name, old.email, old.accreditation, old.city, old.state, old.country, old.location_hidden)
    is distinct from
    (new.name, new.email, new.accreditation, new.city, new.state, new.country, new.location_hidden))
  execute function directory_follows_person();
