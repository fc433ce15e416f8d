import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Aligns numbers at the right. */
  readonly align?: 'end'
  /** The column is left out on a phone. */
  readonly wide?: true
}

type DataTableProps<Row> = {
  /** Tells screen readers what the rows are. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** The page that a row opens. The first cell is then a link, and ↑ and ↓ move from row to row. */
  readonly rowTo?: (row: Row) => string
  /** The search parameters of that page, without the mode. */
  readonly rowSearch?: (row: Row) => Readonly<Record<string, string>>
  /** Called shortly before the last row becomes visible. Undefined if there are no more rows, or if they cannot be requested now. */
  readonly onEnd?: (() => void) | undefined
}

/** A table with at least this many rows renders only the visible rows and a few next to them. */
const VIRTUAL_FROM_ROWS = 100
const ROW_PX = 41
/** The next rows are requested at this distance before the last row becomes visible. */
const END_MARGIN = '600px'

export function DataTable<Row>({ label, rows, columns, rowKey, rowTo, rowSearch, onEnd }: DataTableProps<Row>) {
  const box = useRef<HTMLElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const isVirtual = rows.length >= VIRTUAL_FROM_ROWS
  const virtual = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  useEffect(() => {
    if (onEnd === undefined || end.current === null) return
    const root = isVirtual ? box.current : null
    const watching = new IntersectionObserver(([seen]) => seen?.isIntersecting && onEnd(), {
      root,
      rootMargin: END_MARGIN,
    })
    watching.observe(end.current)
    return () => watching.disconnect()
  }, [onEnd, isVirtual])
  const items = virtual.getVirtualItems()
  const shown = isVirtual ? items.map(({ index }) => index) : rows.map((_, index) => index)
  const before = items[0]?.start ?? 0
  const after = isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const move = (event: KeyboardEvent) => moveBetweenRows(event, box.current)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by the keyboard
    <section ref={box} className={isVirtual ? 'table-box tall' : 'table-box'} aria-label={label} tabIndex={0}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ header, align, wide }) => (
              <th key={header} scope="col" className={classOf(align, wide)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={move}>
          {before > 0 && <Gap height={before} />}
          {shown.map((index) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <tr key={rowKey(row)} aria-rowindex={index + 2}>
                {columns.map(({ header, cell, align, wide }, at) => (
                  <td key={header} className={classOf(align, wide)}>
                    {at === 0 && rowTo !== undefined ? (
                      <Link to={rowTo(row)} search={rowSearch?.(row) ?? {}} className="row-link">
                        {cell(row)}
                      </Link>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
      <div ref={end} />
    </section>
  )
}

const classOf = (align?: 'end', wide?: true) => `${align === 'end' ? 'end' : ''}${wide === true ? ' wide-only' : ''}`

function Gap({ height }: { readonly height: number }) {
  return (
    <tr>
      <td className="gap" style={{ height }} />
    </tr>
  )
}

function moveBetweenRows(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || box === null) return
  const links = [...box.querySelectorAll<HTMLElement>('.row-link')]
  const next = links[links.findIndex((link) => link.contains(document.activeElement)) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
