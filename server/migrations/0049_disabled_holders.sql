-- schema: worlds
-- Module accounts. holder_id: a user whose account is disabled, or a connection of such a user. Every token check
-- reads this table, so it has only ids, and is usually empty.
create table disabled_holders (
  holder_id text collate "C" not null,
  constraint disabled_holders_pkey primary key (holder_id)
);

insert into disabled_holders (holder_id)
select u.user_id from platform.account_users u join platform.accounts a on a.id = u.account_id
 where u.world = current_schema() and a.disabled_at is not null
union
select i.id from installations i
  join platform.account_users u on u.user_id = i.user_id and u.world = current_schema()
  join platform.accounts a on a.id = u.account_id
 where a.disabled_at is not null;
