/** Answers that are the same until something is released or granted, kept as bytes. */
export type KeptTexts = {
  /** The answer under this name if it was read under this revision, else whatever `read` gives, which is kept. */
  get(name: string, revision: string, read: () => Promise<string>): Buffer | Promise<Buffer>
}

type Kept = { readonly revision: string; readonly bytes: Buffer }

/** At most so many bytes in all; those kept first make room. What is larger than a tenth of that is not kept. */
export function keptTexts(bytesMax: number): KeptTexts {
  const kept = new Map<string, Kept>()
  let held = 0
  const drop = (name: string) => {
    held -= kept.get(name)?.bytes.byteLength ?? 0
    kept.delete(name)
  }
  const keep = async (name: string, revision: string, read: () => Promise<string>) => {
    const bytes = Buffer.from(await read())
    drop(name)
    if (bytes.byteLength > bytesMax / 10) return bytes
    kept.set(name, { revision, bytes })
    held += bytes.byteLength
    for (const oldest of kept.keys()) {
      if (held <= bytesMax) break
      drop(oldest)
    }
    return bytes
  }
  return {
    get(name, revision, read) {
      const known = kept.get(name)
      return known?.revision === revision ? known.bytes : keep(name, revision, read)
    },
  }
}
