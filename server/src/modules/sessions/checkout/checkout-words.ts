/** "When attributes.testing_the_waters is true the copy says reserve or reservation, never invest." */
export type CheckoutWords = {
  readonly verb: string
  /** What somebody is asked to do with a company. */
  readonly ask: string
  readonly noun: string
  /** As a heading, once it is done. */
  readonly done: string
  readonly nothingDone: string
  readonly least: string
  readonly most: string
}

const INVEST: CheckoutWords = {
  verb: 'invest',
  ask: 'invest in',
  noun: 'investment',
  done: 'Your investment is made',
  nothingDone: 'Nothing was invested, and no money was taken.',
  least: 'Minimum investment',
  most: 'Maximum investment',
}

const RESERVE: CheckoutWords = {
  verb: 'reserve',
  ask: 'make a reservation with',
  noun: 'reservation',
  done: 'Your reservation is made',
  nothingDone: 'Nothing was reserved.',
  least: 'Minimum reservation',
  most: 'Maximum reservation',
}

export function checkoutWords({ testingTheWaters }: { readonly testingTheWaters: boolean }): CheckoutWords {
  return testingTheWaters ? RESERVE : INVEST
}
