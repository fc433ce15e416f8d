import { count, type Environment, type Stage } from './stage.ts'

/**
 * The database records each new and each deleted delivery batch. If the last delivery of a deleted batch is in the queue,
 * the batch was split into rows. Otherwise all its outcomes were recorded at once.
 */
const NOTE = `
  create table public.soak_delivery_batches (what text not null);
  create function public.note_delivery_batch() returns trigger language plpgsql security definer as $$
  begin
    insert into public.soak_delivery_batches
    select case when tg_op = 'INSERT' then 'delivery_batches'
                when exists (select from test.delivery_queue q where q.id = old.id) then 'delivery_batches_opened'
                else 'delivery_batches_whole' end;
    return null;
  end $$;
  create trigger note_delivery_batch after insert or delete on test.delivery_parcels for each row
    execute function public.note_delivery_batch()`

export async function installBatchLog({ sql }: Pick<Environment, 'sql'>): Promise<void> {
  await sql(NOTE)
}

export async function countDeliveryBatches(stage: Stage): Promise<void> {
  const gone = await stage.sql<{ what: string }>('delete from public.soak_delivery_batches returning what')
  for (const { what } of gone) count(stage, what)
}
