import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { appQuery } from '../api/queries.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { type ScopeChange, ScopeChangePanel } from './change-panel.tsx'
import { AdditionResult, RemovalResult } from './removal-result.tsx'
import { catalogueQuery, grantedBy, type PickerScope } from './scope-queries.ts'
import './scopes.css'

/** The chosen change is in the address, so that a person can send the link to their team before they make the change. */
export type ScopesSearch = { readonly add?: readonly string[]; readonly remove?: readonly string[] }

export function ScopesPage() {
  const appId = useAppId() ?? ''
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: catalogue } = useSuspenseQuery(catalogueQuery)
  const { add = [], remove = [] }: ScopesSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const [change, setChange] = useState<ScopeChange | null>(null)
  const effects = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The panel is shorter after the change, so on a phone the result of the change can be out of view.
    if (change !== null) effects.current?.scrollIntoView({ block: 'nearest' })
  }, [change])
  const declared = new Set(app.attributes.scopes)
  // The scopes of the app may have changed since the link was made.
  const adding = add.filter((scope) => !declared.has(scope))
  const removing = remove.filter((scope) => declared.has(scope))
  const propose = (next: ScopesSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, add: next.add ?? [], remove: next.remove ?? [] }),
      replace: true,
      resetScroll: false,
    })
  const toggleScope = (scope: string) => {
    setChange(null)
    if (declared.has(scope)) propose({ add: adding, remove: withToggled(removing, scope) })
    else propose({ add: withToggled(adding, scope), remove: removing })
  }
  const isChosen = (scope: string) => (declared.has(scope) ? !removing.includes(scope) : adding.includes(scope))
  const selectable = new Set(catalogue.map(({ id }) => id))
  const others = app.attributes.scopes.filter((scope) => !selectable.has(scope))
  return (
    <Page
      title="Scopes"
      crumbs={appCrumbs(app)}
      lead="Choose the scopes that your app asks for, and see what the change does before you make it. People see the same groups when they consent."
    >
      <div className="scopes-columns">
        <div className="scope-groups">
          {groupsOf(catalogue).map(({ heading, scopes }) => (
            <Panel key={heading} title={heading}>
              <ul className="scope-list">
                {scopes.map((scope) => (
                  <li key={scope.id}>
                    <ScopeLine
                      scope={scope}
                      isChosen={isChosen(scope.id)}
                      isChanged={adding.includes(scope.id) || removing.includes(scope.id)}
                      onToggle={() => toggleScope(scope.id)}
                    />
                  </li>
                ))}
              </ul>
            </Panel>
          ))}
          {others.length > 0 && (
            <Panel
              title="Granted by the platform"
              hint="These scopes come with a program. The platform adds and removes them."
            >
              <ul className="scope-names">
                {others.map((scope) => (
                  <li key={scope}>
                    <code>{scope}</code>
                  </li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
        {adding.length + removing.length > 0 && (
          <div className="scope-jump">
            <Button variant="primary" onPress={() => effects.current?.scrollIntoView()}>
              {changeInWords(adding.length, removing.length)}: see what it does
            </Button>
          </div>
        )}
        <div className="scope-change" ref={effects}>
          {change !== null && change.added.length > 0 && (
            <AdditionResult appId={appId} added={change.added} lacking={change.lacking} />
          )}
          {change !== null && change.removed !== null && <RemovalResult removed={change.removed} />}
          <ScopeChangePanel
            app={app}
            catalogue={catalogue}
            adding={adding}
            removing={removing}
            onDone={(result) => {
              setChange(result)
              propose({})
            }}
            onDiscard={() => propose({})}
          />
        </div>
      </div>
    </Page>
  )
}

const changeInWords = (added: number, removed: number) =>
  [added > 0 && `${added} added`, removed > 0 && `${removed} removed`].filter(Boolean).join(', ')

const withToggled = (names: readonly string[], name: string) =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name]

type Group = { readonly heading: string; readonly scopes: readonly PickerScope[] }

/** The groups that people see when they consent, each with its heading. Scopes keep the order of the catalogue. */
const groupsOf = (catalogue: readonly PickerScope[]): readonly Group[] =>
  [...Map.groupBy(catalogue, ({ attributes }) => attributes.heading)].map(([heading, scopes]) => ({ heading, scopes }))

type ScopeLineProps = {
  readonly scope: PickerScope
  readonly isChosen: boolean
  readonly isChanged: boolean
  readonly onToggle: () => void
}

function ScopeLine({ scope, isChosen, isChanged, onToggle }: ScopeLineProps) {
  const { consent, sensitive, implies, beta } = scope.attributes
  return (
    <label className="check">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span className="scope-text">
        <span className="scope-name">
          <code>{scope.id}</code>
          {isChanged && (isChosen ? <Badge tone="good">Added</Badge> : <Badge tone="danger">Removed</Badge>)}
          {beta && <Badge>Beta</Badge>}
        </span>
        <span>{consent}</span>
        {sensitive !== null && <span className="scope-sensitive">{sensitive}</span>}
        <EffectHint scope={scope} />
        {implies.length > 0 && <span className="hint">Includes {implies.join(', ')}</span>}
      </span>
    </label>
  )
}

function EffectHint({ scope }: { readonly scope: PickerScope }) {
  const { own, onlyOfPeople } = grantedBy([scope])
  if (own.length > 0) return <span className="hint">For the app’s own data: no person has to consent.</span>
  if (onlyOfPeople.length > 0) return <span className="hint">Only for people who connect the app.</span>
  return null
}
