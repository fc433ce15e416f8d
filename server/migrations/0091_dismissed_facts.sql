-- schema: worlds
-- Module refused. When an operator decided that nothing is left to do about a refused fact, real time.
alter table refused_facts add column dismissed_at timestamptz;
