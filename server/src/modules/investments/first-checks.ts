import type { CheckState } from './investment.ts'

export type FirstChecks = {
  readonly identity: CheckState
  readonly accreditation: CheckState
  readonly signature: CheckState
  readonly review: CheckState
}

type Ground = {
  readonly testing_the_waters: boolean
  readonly accredited_only: boolean
  readonly accreditation: string
}

/**
 * What a new investment has to pass, unless the host platform says otherwise. A reservation is not binding: nothing is
 * signed or checked before it becomes an investment. Whose accreditation was verified need not show it again.
 */
export function firstChecks(ground: Ground, said: Partial<FirstChecks>): FirstChecks {
  const needed = ground.testing_the_waters ? 'not_required' : 'required'
  return {
    identity: said.identity ?? needed,
    accreditation: said.accreditation ?? (ground.accredited_only ? accreditation(ground) : 'not_required'),
    signature: said.signature ?? needed,
    review: said.review ?? 'not_required',
  }
}

function accreditation({ testing_the_waters, accreditation }: Ground): CheckState {
  if (testing_the_waters) return 'not_required'
  return accreditation === 'verified' ? 'passed' : 'required'
}
