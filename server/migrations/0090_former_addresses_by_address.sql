-- schema: worlds
-- no transaction
-- Module people. Some records name a person only by an address. Before such a record is written, the transaction
-- locks the users who have or had the address, so that a later erasure finds the record. This index finds the users
-- who had it.
create index concurrently if not exists former_addresses_address on former_addresses (lower(address));
