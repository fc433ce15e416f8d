/** What investors write to a company along with their money. */
export const MESSAGES: readonly string[] = [
  'Glad to be part of this.',
  'I have waited two years for a person to do this properly.',
  'My sister works in the trade and says you are the ones to watch.',
  'Small amount, large hopes.',
  'Happy to introduce you to three possible customers.',
  'Met your team at the market last spring; you answered every question.',
  'Please keep the updates as honest as the last one.',
  'Doubling what I put into your first round.',
  'I would like to visit the workshop when I am in town.',
  'For my daughter’s college fund, so no pressure.',
  'The unit costs convinced me.',
  'Let me know if you need hands at the opening.',
  'I read the whole filing. Good luck.',
  'Count me in for the next one as well.',
]

export const ENTITIES: readonly string[] = [
  'Family Trust',
  'Holdings LLC',
  'Ventures LLC',
  'Revocable Trust',
  'Self-Directed IRA',
]
