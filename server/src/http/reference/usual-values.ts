/**
 * What a field of this name holds as a rule. A schema that says nothing but "text" would otherwise give an example that
 * no server accepts.
 */
export const USUAL_TEXT: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  password: 'correct horse battery staple',
  q: 'energy',
  reason: 'Because of what was found in the review.',
  bio: 'I build engines.',
  city: 'London',
  state: 'CA',
  country: 'US',
  scope: 'read:public',
  scopes: 'read:profile',
  client_id: 'pk_test_your_key',
  client_secret: 'sk_test_your_secret',
  token: 'at_test_some_token',
}

/** Amounts are whole units, so that their cents are a multiple of 100. */
export const USUAL_CENTS = 25_000
