import { consent } from './flow.ts'
import type { Send } from './sender.ts'
import type { App, Person, Stage } from './stage.ts'

/** The scopes that an app needs to be installed by people and to list its installations. */
export const INSTALLING = ['read:installations', 'write:installations']

/** Returns the installations API with a token of this person, who consented only to the scopes `INSTALLING`. */
export async function installer(stage: Stage, { key }: Pick<App, 'key'>, person: Person): Promise<Send> {
  const { access_token } = await consent(stage, key, person, { scope: INSTALLING.join(' ') })
  return stage.api(access_token)
}

export type Target = { readonly target_type: 'company' | 'syndicate'; readonly target_id: string }

/** Creates a company that this person may edit, as its founder unless another role is given. */
export async function aCompanyOf(stage: Stage, person: Person, role = 'founder'): Promise<Target> {
  return { target_type: 'company', target_id: await stage.company({ [role]: person }) }
}

export async function aSyndicateOf(stage: Stage, manager: Person): Promise<Target> {
  return { target_type: 'syndicate', target_id: await stage.syndicate(manager) }
}
