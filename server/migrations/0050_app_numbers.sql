-- schema: platform
-- Module apps. legacy_id: older versions of the API identify a connected app by an integer.
alter table platform.apps add column legacy_id bigint generated always as identity;
alter table platform.apps add constraint apps_legacy_id_key unique (legacy_id);
