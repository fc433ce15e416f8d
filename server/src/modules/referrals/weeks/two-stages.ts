type Stages<Item, AtHand, Made> = {
  readonly first: (item: Item) => Promise<AtHand>
  readonly second: (atHand: AtHand) => Promise<Made>
}

/**
 * Each item goes through the first stage and then the second. The first of the next item begins while the second of the one
 * before is under way, of which there are two at most: while one works, the other waits for somebody else's work. Whatever
 * throws ends it, when all that was begun has ended.
 */
export async function twoStages<Item, AtHand, Made>(
  items: readonly Item[],
  { first, second }: Stages<Item, AtHand, Made>,
): Promise<Made[]> {
  const made: Promise<Made>[] = []
  try {
    for (const item of items) {
      const atHand = await first(item)
      await made.at(-2)
      const making = second(atHand)
      // Heard of in its turn.
      making.catch(() => {})
      made.push(making)
    }
    return await Promise.all(made)
  } catch (error) {
    await Promise.allSettled(made)
    throw error
  }
}
