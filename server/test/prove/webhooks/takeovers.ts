import type { Environment } from './stage.ts'

/**
 * A takeover: a worker took a lane whose lease had expired, because the previous worker was killed, stalled, or could not
 * connect to the database. Deliveries of the previous worker are sent again only after a takeover. The database records
 * takeovers.
 */
export type Takeover = { readonly endpoint_id: string; readonly at: number }

const NOTE = `
  create table public.soak_takeovers (endpoint_id text not null, at timestamptz not null);
  create function public.note_takeover() returns trigger language plpgsql security definer as $$
  begin
    insert into public.soak_takeovers values (old.endpoint_id, clock_timestamp());
    return null;
  end $$;
  create trigger note_takeover after update on test.webhook_lanes for each row
    when (old.owner <> new.owner and old.lease_until < clock_timestamp())
    execute function public.note_takeover()`

export async function installTakeoverLog({ sql }: Pick<Environment, 'sql'>): Promise<void> {
  await sql(NOTE)
}

export async function takeoversSoFar({ sql }: Pick<Environment, 'sql'>): Promise<Takeover[]> {
  return sql<Takeover>(
    `select endpoint_id, extract(epoch from at)::double precision * 1000 as at from public.soak_takeovers`,
  )
}
