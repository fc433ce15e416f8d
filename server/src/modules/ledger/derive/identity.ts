import { NOBODY } from '#modules/events/index.ts'
import type { Facts } from './facts.ts'

export type PostalAddress = {
  readonly line?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postal_code?: string | undefined
  readonly country?: string | undefined
}

/**
 * What only the investor and holders of read:investors:pii see. What is not known is null where the contract allows it
 * and absent elsewhere.
 */
export type Identity = {
  readonly investor: {
    readonly name: string
    readonly legal_name?: string
    readonly email: string | null
    readonly address?: PostalAddress
    readonly bio: string | null
  }
  readonly external_username: string | null
  readonly message: string | null
}

/** "A deactivated investor: name and legal_name `[deleted user]`, the rest null, address absent." */
const ERASED: Identity = {
  investor: { name: NOBODY.name, legal_name: NOBODY.name, email: null, bio: null },
  external_username: null,
  message: null,
}

/** Whoever invests through an entity signs in its name. */
export function identityOf(facts: Facts): Identity {
  if (facts.deactivated || facts.name === null) return ERASED
  const legalName = facts.entity_name ?? facts.legal_name
  const address = addressOf(facts)
  return {
    investor: {
      name: facts.name,
      ...(legalName === null ? {} : { legal_name: legalName }),
      email: facts.email,
      ...(address === null ? {} : { address }),
      bio: facts.bio,
    },
    external_username: facts.external_username,
    message: facts.message,
  }
}

function addressOf({ address }: Facts): PostalAddress | null {
  if (address === null) return null
  const { line1, line2, city, state, postal_code, country } = address
  const line = [line1, line2].filter((part) => part !== undefined).join(', ')
  // JSON leaves out what is undefined.
  return { line: line === '' ? undefined : line, city, state, postal_code, country }
}
