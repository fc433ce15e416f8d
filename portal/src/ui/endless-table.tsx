import type { ReactNode } from 'react'
import type { Pages } from '../api/use-pages.ts'
import { type Column, DataTable } from './data-table.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'

type EndlessTableProps<Row> = {
  readonly label: string
  readonly pages: Pages<Row>
  /** The rows of `pages`, with newer rows if a stream has sent some. */
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly rowTo?: (row: Row) => string
  readonly rowSearch?: (row: Row) => Readonly<Record<string, string>>
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode
}

/** A table that reads its next page before its last row becomes visible. */
export function EndlessTable<Row>({ pages, rows, empty, ...table }: EndlessTableProps<Row>) {
  const { isLoading, error, readMore, isReadingMore, refetch } = pages
  if (isLoading) return <Skeleton lines={8} />
  if (error !== null && rows.length === 0) return <ErrorState error={error} onRetry={refetch} />
  if (rows.length === 0 && !isReadingMore) return empty
  return (
    <>
      <DataTable {...table} rows={rows} onEnd={readMore} />
      {isReadingMore && <Skeleton lines={2} />}
      {error !== null && <ErrorState error={error} onRetry={refetch} />}
    </>
  )
}
