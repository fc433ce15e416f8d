import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { App } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { type Command, navigationGroups, sections } from './sections.ts'

type PaletteProps = { readonly appId: string | null; readonly onClose: () => void }

const SHOWN_MAX = 12

/** Finds sections, apps and records by a few letters or by an id. */
export function Palette({ appId, onClose }: PaletteProps) {
  const { data: apps = [] } = useQuery(appsQuery)
  const router = useRouter()
  const listId = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const results = [...recordsFor(appId, text), ...matching(commandsFor(apps, appId), text)].slice(0, SHOWN_MAX)
  const at = Math.min(chosen, Math.max(results.length - 1, 0))
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const go = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    void router.navigate({ to: command.to })
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((at + step + results.length) % Math.max(results.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(results[at])
    }
  }
  return (
    <ModalOverlay className="overlay palette-overlay" isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="modal palette">
        <Dialog aria-label="Search and commands">
          <input
            autoFocus
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={results.length > 0 ? `${listId}-${at}` : undefined}
            aria-label="Search sections, apps and ids"
            placeholder="Search sections, apps and ids"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(0)
            }}
            onKeyDown={press}
          />
          <div ref={list} id={listId} role="listbox" aria-label="Results" className="palette-list">
            {results.map((command, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field above
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
              <div
                key={command.hint + command.to}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                onClick={() => go(command)}
                onPointerMove={() => setChosen(index)}
              >
                <span>{command.label}</span>
                <span className="menu-hint">{command.hint}</span>
              </div>
            ))}
          </div>
          {results.length === 0 && <p className="palette-none">Nothing found. Try the name of a section or an app.</p>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function commandsFor(apps: readonly App[], appId: string | null): readonly Command[] {
  const app = apps.find(({ id }) => id === appId) ?? null
  const places = navigationGroups(appId).flatMap(({ entries }) =>
    entries.map(({ label, to }): Command => ({ label, to, hint: app === null ? 'Section' : app.attributes.name })),
  )
  return [
    ...places,
    ...apps.map(
      ({ id, attributes }): Command => ({ label: attributes.name, hint: 'App', to: `/apps/${id}`, words: id }),
    ),
    ...sections.flatMap(({ commands }) => commands?.({ app }) ?? []),
  ]
}

/** A complete id leads to the page of its record. If no such record exists, that page says so. */
function recordsFor(appId: string | null, text: string): readonly Command[] {
  const [id, prefix] = /^([a-z]+)_[0-9A-Za-z]{24}$/.exec(text.trim()) ?? []
  if (id === undefined || appId === null) return []
  return sections
    .flatMap(({ records }) => records ?? [])
    .filter((kind) => kind.prefix === prefix)
    .map(({ label, to }) => ({ label: id, hint: label, to: to.replace('$appId', appId).replace('$id', id) }))
}

/** The commands whose line contains all typed words, in any order. */
function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, hint, words: more = '' }) => {
    const line = `${label} ${hint} ${more}`.toLowerCase()
    return words.every((word) => line.includes(word))
  })
}
