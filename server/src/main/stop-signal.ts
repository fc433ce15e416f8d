/**
 * Aborted by the first SIGTERM or SIGINT. The listeners stay: a terminal signals the whole group and npm passes the
 * signal on once more, and a second signal without a listener would kill us half-way through stopping. Listening from
 * the very start, so that a Ctrl-C during the start is obeyed too. A process that has not stopped by itself after `giveUpMs`
 * is ended.
 */
export function stopSignal(giveUpMs: number): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => {
      process.stderr.write(`Portico did not stop within ${giveUpMs / 1_000} s and was ended.\n`)
      process.exit(1)
    }, giveUpMs).unref()
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, stop)
  return stopping.signal
}
