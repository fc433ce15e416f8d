import { useEffect, useRef, useState } from 'react'

const ROWS_MAX = 1_000

type TailState = 'connecting' | 'open' | 'closed'

export const TAIL_WORDS: Readonly<Record<TailState, string>> = {
  connecting: 'connecting',
  open: 'waiting for new ones',
  closed: 'disconnected, turn it on again',
}

type Tail<Row> = { readonly rows: readonly Row[]; readonly state: TailState }

/**
 * Rows of a server-sent stream, newest first. A tab in the background closes its stream, because a browser opens only a few
 * connections to one server; back in front it continues after the last row. `onReturn` reads the list again, for a stream
 * that had sent nothing yet and so cannot continue.
 */
export function useTail<Row>(address: string | null, onReturn: () => void): Tail<Row> {
  const [rows, setRows] = useState<readonly Row[]>([])
  const [state, setState] = useState<TailState>('connecting')
  const place = useRef<{ address: string | null; lastId: string; wasOpen: boolean }>(START)
  const returned = useRef(onReturn)
  returned.current = onReturn
  const isVisible = useVisible()
  useEffect(() => {
    if (place.current.address !== address) {
      place.current = { ...START, address }
      setRows([])
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
      setRows((before) => [row, ...before].slice(0, ROWS_MAX))
    }
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'closed' : 'connecting')
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      // A server that restarts is asked again by the browser itself. Otherwise reading the list shows why the stream ended.
      if (data.includes('server_closing')) return
      source.close()
      setState('closed')
      returned.current()
    })
    return () => source.close()
  }, [address, isVisible])
  return { rows, state }
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
