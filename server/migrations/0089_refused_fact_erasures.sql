-- schema: worlds
-- Module refused. One row: how many people were erased. An erasure changes it, and recording a refusal locks it, so that they take
-- turns: a fact that names a person by an address only is not stored after the erasure.
create table refused_fact_erasures (
  one boolean not null default true,
  count bigint not null default 0,
  constraint refused_fact_erasures_pkey primary key (one),
  constraint refused_fact_erasures_one_row check (one),
  constraint refused_fact_erasures_count_not_negative check (count >= 0)
);
insert into refused_fact_erasures (one) values (true);
