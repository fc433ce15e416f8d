/** Calls `each` for what was given to it when all that has arrived in this turn of the event loop was read: one call for many. */
export function atTurnsEnd<T>(each: (given: T) => void): (given: T) => void {
  let waiting: T[] = []
  function all(): void {
    const now = waiting
    waiting = []
    for (const given of now) each(given)
  }
  return (given) => {
    if (waiting.push(given) === 1) setImmediate(all)
  }
}
