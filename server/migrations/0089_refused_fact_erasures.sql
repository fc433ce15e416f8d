-- schema: worlds
-- Module refused. The only row counts how many people were erased. An erasure changes the row, and a transaction that
-- records refused facts locks it, so the two run one after the other. If an erasure ran after the request began, a
-- fact with an address is stored without its data. The address may belong to the erased person.
create table refused_fact_erasures (
  one boolean not null default true,
  count bigint not null default 0,
  constraint refused_fact_erasures_pkey primary key (one),
  constraint refused_fact_erasures_one_row check (one),
  constraint refused_fact_erasures_count_not_negative check (count >= 0)
);
insert into refused_fact_erasures (one) values (true);
