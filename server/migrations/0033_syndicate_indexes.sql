-- schema: worlds
-- no transaction
-- Module syndicates. This file fills the new directory columns of existing memberships. It creates the indexes
-- afterwards, so that no index has to be maintained during the fill. The server applies facts while this file runs.
-- Running the file again is safe.
call fill_directory();
alter table memberships validate constraint memberships_directory_key_length;
alter table memberships validate constraint memberships_directory_place_length;
alter table memberships validate constraint memberships_directory_tags_length;

-- An invitation without a name gets the name of the invited user. An invitation is closed if the invited user or the
-- invited address has joined the syndicate or has applied to it.
update syndicate_invitations i set name = u.name from users u where u.id = i.user_id and i.name is null and u.name is not null;
update syndicate_invitations i set open = false
  from (select m.syndicate_id, i.email_key from memberships m
          join syndicate_invitations i on i.syndicate_id = m.syndicate_id and i.user_id = m.user_id
         where m.joined_at is not null or m.status in ('pending', 'approved', 'payment_failed')
        union
        select syndicate_id, lower(invited_email) from memberships where joined_at is not null
        union
        select m.syndicate_id, lower(u.email) from memberships m join users u on u.id = m.user_id
         where m.joined_at is not null or m.status in ('pending', 'approved', 'payment_failed')) answered
 where i.open and i.syndicate_id = answered.syndicate_id and i.email_key = answered.email_key;

-- One index for each sort order of the directory, and one that counts the members.
drop index concurrently if exists memberships_directory;
create index concurrently memberships_directory on memberships (syndicate_id, coalesce(sort_order, 2147483647), id);
drop index concurrently if exists memberships_newest;
create index concurrently memberships_newest on memberships (syndicate_id, created_at, id);
drop index concurrently if exists memberships_alphabetical;
create index concurrently memberships_alphabetical on memberships (syndicate_id, directory_key, id);
drop index concurrently if exists memberships_last_activity;
create index concurrently memberships_last_activity on memberships
  (syndicate_id, (coalesce(profile ->> 'last_activity_at', '') collate "C"), id);
drop index concurrently if exists memberships_members;
create index concurrently memberships_members on memberships (syndicate_id) where status = 'member';

-- The statistics of a syndicate count its recent events with this index. Most events are about investments. They have
-- no syndicate_id, so they are not in this index. The index is built concurrently, because the server writes events
-- meanwhile.
drop index concurrently if exists events_syndicate;
create index concurrently events_syndicate on events (syndicate_id, occurred_at) where syndicate_id is not null;
