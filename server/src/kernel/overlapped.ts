type Steps<Part, Read, Made> = {
  readonly read: (part: Part) => Promise<Read>
  readonly make: (read: Read) => Promise<Made>
  readonly write: (made: Made) => Promise<void>
}

/** For so long at a time may `make` hold the thread, which is also what hands PostgreSQL its next statement. */
export const MAKING_MS_MAX = 0.5

/**
 * Reads the next part and writes the ones before while this one is made: PostgreSQL and we work at the same time, and it has
 * its next write before it is done with the last. In order, and never more than four parts at once. What fails first is what
 * is thrown, and not what fails because of it; nothing is begun after that.
 */
export async function overlapped<Part, Read, Made>(
  parts: readonly Part[],
  { read, make, write }: Steps<Part, Read, Made>,
): Promise<void> {
  const [first, ...others] = parts
  if (first === undefined) return
  const failures: unknown[] = []
  // Looked at later: until then Node must not take its failure for one that nobody looks at.
  const begun = <T>(work: Promise<T>): Promise<T> => {
    work.catch((error: unknown) => failures.push(error))
    return work
  }
  let reading = begun(read(first))
  let [writingBefore, writing] = [Promise.resolve(), Promise.resolve()]
  try {
    for (const next of [...others, undefined]) {
      const known = await reading
      if (next !== undefined) reading = begun(read(next))
      const made = await begun(make(known))
      await writingBefore
      if (failures.length > 0) break
      ;[writingBefore, writing] = [writing, begun(write(made))]
    }
  } catch (error) {
    failures.push(error)
  }
  await Promise.allSettled([reading, writingBefore, writing])
  if (failures.length > 0) throw failures[0]
}
