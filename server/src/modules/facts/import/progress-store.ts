import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type ImportProgress = {
  readonly linesDone: number
  readonly bytesDone: number
  readonly refused: number
}

type Row = { readonly lines_done: string; readonly bytes_done: string; readonly refused_count: string }

/** Goes on where an import of this file was cut off; one that came to its end is begun again. */
const BEGIN = statement<Row>(
  'facts.begin_import',
  `insert into import_progress as before (file_fingerprint, file_name) values ($1, $2)
   on conflict on constraint import_progress_pkey do update set
     file_name = excluded.file_name,
     lines_done = case when before.finished_at is null then before.lines_done else 0 end,
     bytes_done = case when before.finished_at is null then before.bytes_done else 0 end,
     refused_count = case when before.finished_at is null then before.refused_count else 0 end,
     started_at = case when before.finished_at is null then before.started_at else clock_timestamp() end,
     updated_at = clock_timestamp(),
     finished_at = null
   returning lines_done, bytes_done, refused_count`,
)

export async function beginImport(tx: Tx, fingerprint: Buffer, name: string): Promise<ImportProgress> {
  const row = await tx.one(BEGIN, [fingerprint, name])
  return {
    linesDone: Number(row.lines_done),
    bytesDone: Number(row.bytes_done),
    refused: Number(row.refused_count),
  }
}

const SAVE = statement(
  'facts.save_import',
  `update import_progress set lines_done = $2, bytes_done = $3, refused_count = $4, updated_at = clock_timestamp(),
          finished_at = case when $5 then clock_timestamp() end
    where file_fingerprint = $1`,
)

/** Its commit waits for the disk, and so for all facts before it: the place is never ahead of what it tells about. */
export async function saveImport(
  tx: Tx,
  fingerprint: Buffer,
  { linesDone, bytesDone, refused }: ImportProgress,
  finished: boolean,
): Promise<void> {
  await tx.run(SAVE, [fingerprint, linesDone, bytesDone, refused, finished])
}
