-- schema: worlds
-- Module ledger. A reader without read:investors:pii sees no identity fields, and must not see when only these fields
-- change. So a head has a second position of the company for such readers: open_position. It moves together with
-- company_position, except when a change concerns only the identity fields.
-- Such a change sets identity_position to company_position. open_position, open_reason and open_observed_at then keep
-- the values of the last change that all readers see. For all other records, identity_position, open_reason and
-- open_observed_at are null. The company's position, reason and time then apply to all readers.
alter table ledger_heads
  add column open_position ledger_position,
  add column identity_position ledger_position,
  add column open_reason ledger_reason,
  add column open_observed_at timestamptz,
  add constraint ledger_heads_open_side_whole check (
    case when identity_position is null
      then open_position is not distinct from company_position and num_nonnulls(open_reason, open_observed_at) = 0
      else identity_position = company_position and open_position < company_position
           and num_nonnulls(open_reason, open_observed_at) = 2 end) not valid;

-- A publisher of the previous release does not set these columns. The trigger treats the publisher's changes as
-- changes for all readers. An extra change does no harm to a reader, but a missing change does. A later migration can
-- drop the trigger when no publisher of that release runs any more.
create function ledger_open_side() returns trigger language plpgsql as $$
begin
  new.open_position := new.company_position;
  new.identity_position := null;
  new.open_reason := null;
  new.open_observed_at := null;
  return new;
end $$;

create trigger ledger_heads_open_side before insert or update on ledger_heads
  for each row when (new.open_position is distinct from new.company_position
                     and new.identity_position is distinct from new.company_position)
  execute function ledger_open_side();

-- The procedure locks the ledger's row for each batch, so that no publisher writes the same heads at the same time.
do $outside$
begin
  execute format($inside$
    create procedure fill_open_positions() language plpgsql as $body$
    declare
      batch text[];
      after text := '';
    begin
      loop
        perform from %1$I.ledger for update;
        select array_agg(investment_id::text order by investment_id) into batch
          from (select investment_id from %1$I.ledger_heads where investment_id > after order by investment_id limit 5000) next;
        exit when batch is null;
        update %1$I.ledger_heads set open_position = company_position
         where investment_id = any(batch) and open_position is null and company_position is not null;
        commit;
        after := batch[array_upper(batch, 1)];
      end loop;
    end $body$
  $inside$, current_schema());
end $outside$;
