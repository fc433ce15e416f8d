-- schema: worlds
-- no transaction
-- Module people. A record that names a person by an address only waits for an erasure of whoever has or had the address.
create index concurrently if not exists former_addresses_address on former_addresses (lower(address));
