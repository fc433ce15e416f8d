type Steps<Part, Read, Made> = {
  readonly read: (part: Part) => Promise<Read>
  readonly make: (read: Read) => Promise<Made>
  readonly write: (made: Made) => Promise<void>
}

/** For so long at a time may `make` hold the thread, which is also what hands PostgreSQL its next statement. */
export const MAKING_MS_MAX = 0.5

/**
 * Reads the next part and writes the one before while this one is made: PostgreSQL and we work at the same time. In
 * order, and never more than three parts at once. What fails first is what is thrown, and nothing goes on after that.
 */
export async function overlapped<Part, Read, Made>(
  parts: readonly Part[],
  { read, make, write }: Steps<Part, Read, Made>,
): Promise<void> {
  const [first, ...others] = parts
  if (first === undefined) return
  let reading = begun(read(first))
  let writing = begun(Promise.resolve())
  try {
    for (const next of [...others, undefined]) {
      const known = await reading
      if (next !== undefined) reading = begun(read(next))
      const made = await make(known)
      await writing
      writing = begun(write(made))
    }
    await writing
  } finally {
    await Promise.allSettled([reading, writing])
  }
}

/** Looked at later: until then Node must not take its failure for one that nobody looks at. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}
