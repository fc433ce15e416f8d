import { count, type Stage, type Theatre } from './stage.ts'

/**
 * What became of parcels: the database writes it down. One that is gone was opened if its last delivery lies in the queue by
 * then, and recorded as a whole otherwise.
 */
const NOTE = `
  create table public.soak_parcels (what text not null);
  create function public.note_parcel() returns trigger language plpgsql security definer as $$
  begin
    insert into public.soak_parcels
    select case when tg_op = 'INSERT' then 'parcels'
                when exists (select from test.delivery_queue q where q.id = old.id) then 'parcels_opened'
                else 'parcels_whole' end;
    return null;
  end $$;
  create trigger note_parcel after insert or delete on test.delivery_parcels for each row
    execute function public.note_parcel()`

export async function noteParcels({ sql }: Pick<Theatre, 'sql'>): Promise<void> {
  await sql(NOTE)
}

export async function countParcels(stage: Stage): Promise<void> {
  const gone = await stage.sql<{ what: string }>('delete from public.soak_parcels returning what')
  for (const { what } of gone) count(stage, what)
}
