-- schema: worlds
-- Module refused. dismissed_at: when an operator decided that a refused fact needs no further work (real time).
alter table refused_facts add column dismissed_at timestamptz;
