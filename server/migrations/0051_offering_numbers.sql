-- schema: worlds
-- Module offerings. legacy_id: older versions of the API identify a campaign by an integer.
alter table offerings add column legacy_id bigint generated always as identity;
alter table offerings add constraint offerings_legacy_id_key unique (legacy_id);
