import type { Decimal } from '../store.ts'
import type { Exit, Stake } from './stake.ts'

export type StakeEnd = { readonly by: 'sale' | 'exit'; readonly multiple: Decimal }

/**
 * A stake ends once: by being sold on, or with the exit of its offering, which ends what is held then. What was sold
 * before that is not part of it; nobody can sell after it, so a sale told of a later time changes nothing.
 */
export function endOf({ sale }: Pick<Stake, 'sale'>, exit: Exit | null): StakeEnd | null {
  if (sale !== null && (exit === null || sale.soldAt <= exit.exitedAt)) return { by: 'sale', multiple: sale.multiple }
  return exit === null ? null : { by: 'exit', multiple: exit.multiple }
}
