import type { Id } from '#kernel/ids.ts'

/** One code and one company: what a week tells, it tells of such a pair. */
export type Pair = {
  readonly code: Id<'referralCode'>
  readonly app: Id<'app'>
  readonly company: Id<'company'>
}

export function pairName({ code, company }: Pick<Pair, 'code' | 'company'>): string {
  return `${code} ${company}`
}
