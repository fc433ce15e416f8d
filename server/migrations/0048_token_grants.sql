-- schema: worlds

-- Module tokens. Every token of an app holds read:public, so no grant stores the name. These say that it was requested, which
-- is when the answer echoes it.
alter table authorization_codes add column echo_public boolean not null default false;
alter table refresh_families add column echo_public boolean not null default false;
alter table access_tokens add column echo_public boolean not null default false;

-- The digest of the client secret that minted an installation token. The token ends when that secret does.
alter table access_tokens add column minted_with bytea;
alter table access_tokens add constraint access_tokens_minted_with_is_sha256
  check (octet_length(minted_with) = 32) not valid;
alter table access_tokens add constraint access_tokens_minted_for_installation
  check (minted_with is null or (kind = 'installation' and expires_at is not null)) not valid;

-- Module installations. Grants of before, under the same rule.
update installations set scopes = array_remove(scopes, 'read:public') where scopes @> array['read:public'];
