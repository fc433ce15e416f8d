import { useEffect, useRef, useState } from 'react'

const ROWS_MAX = 1_000

type TailState = 'connecting' | 'open' | 'closed'

export const TAIL_WORDS: Readonly<Record<TailState, string>> = {
  connecting: 'connecting',
  open: 'waiting for new ones',
  closed: 'disconnected, turn it on again',
}

type Tail<Row> = {
  readonly rows: readonly Row[]
  /** The id from which on `rows` are complete, so that an older read of the list has nothing to add; null if they are incomplete. */
  readonly since: string | null
  readonly state: TailState
}

/** The first event of a stream of records that change. */
type Newest<Row> = { readonly since: string | null; readonly data: readonly Row[] }

const NOTHING = { rows: [], since: null }

/**
 * Rows of a server-sent stream, newest first. A tab in the background closes its stream, because a browser opens only a few
 * connections to one server; when the tab is in front again, it continues after the last row. `onReturn` reads the list again if the
 * stream cannot continue, because it had sent nothing yet or its place is too old.
 */
export function useTail<Row extends { readonly id: string }>(address: string | null, onReturn: () => void): Tail<Row> {
  const [{ rows, since }, setRows] = useState<Pick<Tail<Row>, 'rows' | 'since'>>(NOTHING)
  const [state, setState] = useState<TailState>('connecting')
  const place = useRef<{ address: string | null; lastId: string; wasOpen: boolean }>(START)
  const returned = useRef(onReturn)
  returned.current = onReturn
  const isVisible = useVisible()
  useEffect(() => {
    if (place.current.address !== address) {
      place.current = { ...START, address }
      setRows(NOTHING)
    }
    if (address === null || !isVisible) return
    setState('connecting')
    const { lastId, wasOpen } = place.current
    const source = new EventSource(lastId === '' ? address : `${address}&last_event_id=${encodeURIComponent(lastId)}`)
    if (wasOpen && lastId === '') returned.current()
    source.onopen = () => {
      place.current.wasOpen = true
      setState('open')
    }
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      place.current.lastId = lastEventId
      const row: Row = JSON.parse(data)
      setRows((before) => ({ ...before, rows: [row, ...before.rows].slice(0, ROWS_MAX) }))
    }
    source.addEventListener('newest', ({ data, lastEventId }: MessageEvent<string>) => {
      place.current.lastId = lastEventId
      const newest: Newest<Row> = JSON.parse(data)
      const from = newest.since ?? ''
      setRows(({ rows: known, since: knownSince }) => ({
        rows: [...newest.data, ...known.filter(({ id }) => id < from)],
        since: knownSince !== null && knownSince < from ? knownSince : from,
      }))
    })
    source.addEventListener('removed', ({ data }: MessageEvent<string>) => {
      const { id: gone }: { readonly id: string } = JSON.parse(data)
      setRows((before) => ({ ...before, rows: before.rows.filter(({ id }) => id !== gone) }))
    })
    const over = () => {
      place.current = { ...START, address }
      setRows(NOTHING)
      setState('closed')
      returned.current()
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) over()
      else setState('connecting')
    }
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      // If the server restarts, the browser connects again by itself. In all other cases reading the list shows why the stream ended.
      if (data.includes('server_closing')) return
      source.close()
      over()
    })
    return () => source.close()
  }, [address, isVisible])
  return { rows, since, state }
}

const START = { address: null, lastId: '', wasOpen: false }

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}
