import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { Mode } from '../api/client.ts'
import { Icon } from '../ui/icon.tsx'
import { overviewQuery, type Step, useOverviewUpdates } from './overview-query.ts'
import { wordsOf } from './step-words.ts'

const NONE: readonly Step[] = []
const isDone = ({ done }: Step) => done
const hiddenKey = (appId: string) => `first steps hidden ${appId}`

type StepsStripProps = { readonly appId: string; readonly mode: Mode }

/**
 * A strip above each page of a new app in test mode, except its overview. It links to the next first step and to the list of all first
 * steps. A person who does not need the strip can hide it.
 */
export function StepsStrip({ appId, mode }: StepsStripProps) {
  const { pathname } = useLocation()
  const [isHidden, setHidden] = useState(() => localStorage.getItem(hiddenKey(appId)) !== null)
  const mayShow = mode === 'test' && !isHidden && !pathname.endsWith('/overview')
  const { data } = useQuery({
    ...overviewQuery(appId, mode),
    // Once all steps are done, the strip no longer reads the overview.
    enabled: ({ state }) => mayShow && !state.data?.attributes.first_steps.every(isDone),
  })
  const steps = mayShow ? (data?.attributes.first_steps ?? NONE) : NONE
  useOverviewUpdates(appId, mode, steps)
  const next = steps.find(({ done }) => !done)?.step
  if (next === undefined) return null
  const { title, to, search = {} } = wordsOf(mode)[next]
  const hide = () => {
    localStorage.setItem(hiddenKey(appId), 'yes')
    setHidden(true)
  }
  return (
    <nav className="steps-strip" aria-label="First steps">
      <span>
        <Link to={`/apps/${appId}/overview`}>First steps</Link>: {steps.filter(isDone).length} of {steps.length} done
      </span>
      <span>
        Next:{' '}
        <Link to={`/apps/${appId}/${to}`} search={search}>
          {title}
        </Link>
      </span>
      <AriaButton className="copy" aria-label="Hide the first steps" onPress={hide}>
        <Icon name="close" />
      </AriaButton>
    </nav>
  )
}
