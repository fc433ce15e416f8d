-- schema: worlds

-- Module tokens. Every token of an app has read:public, so no grant stores this scope. echo_public: the client
-- requested read:public, so responses list it among the scopes.
alter table authorization_codes add column echo_public boolean not null default false;
alter table refresh_families add column echo_public boolean not null default false;
alter table access_tokens add column echo_public boolean not null default false;

-- minted_with: the digest of the client secret that was used to obtain an installation token. The token becomes
-- invalid when that secret ends.
alter table access_tokens add column minted_with bytea;
alter table access_tokens add constraint access_tokens_minted_with_is_sha256
  check (octet_length(minted_with) = 32) not valid;
alter table access_tokens add constraint access_tokens_minted_for_installation
  check (minted_with is null or (kind = 'installation' and expires_at is not null)) not valid;

-- Module installations. This statement removes read:public from existing grants too, because no grant stores this
-- scope.
update installations set scopes = array_remove(scopes, 'read:public') where scopes @> array['read:public'];
