import { type FormEvent, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { type Suggestion, TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { bodyOf, InputField, type Values } from './input-field.tsx'
import type { KnownIds } from './known-ids.ts'
import { type Input, MOVES, type Move, type Played, type Playing } from './play.ts'

type MoveListProps = {
  readonly group: string
  readonly run: (playing: Playing) => Promise<Played>
  readonly known: KnownIds
}

/** The noun for an id in a path, by the prefix of the id. */
const NOUNS: Readonly<Record<string, string>> = {
  ...{ inv: 'Investment', ofr: 'Offering', usr: 'Person', syn: 'Syndicate', mem: 'Membership' },
  ...{ js: 'Join session', is: 'Investment session' },
}

/** All moves of one kind of record: first the moves that create a record, then the moves of the record with the typed id. */
export function MoveList({ group, run, known }: MoveListProps) {
  const moves = MOVES.filter((move) => move.group === group)
  const prefix = moves.find(({ of }) => of !== null)?.of ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const suggested = known(prefix)
  const id = typed ?? suggested[0]?.value ?? ''
  const noun = NOUNS[prefix] ?? 'Record'
  const selectRecord = (played: Played) => setTyped(played.data.id.startsWith(`${prefix}_`) ? played.data.id : id)
  const props = { run, known, onDone: selectRecord }
  const creatingMoves = moves.filter(({ of }) => of === null)
  return (
    <>
      {creatingMoves.map((move) => (
        <Panel key={move.path} title={move.summary} hint={move.description}>
          <MoveForm move={move} id="" {...props} />
        </Panel>
      ))}
      <Panel title={`Move ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun.toLowerCase()}`}>
        <TextField
          label={`${noun} id`}
          value={id}
          onChange={setTyped}
          suggestions={suggested}
          hint={recordHint(prefix, suggested, id)}
          mono
        />
        <ul className="rows moves">
          {moves
            .filter(({ of }) => of !== null)
            .map((move) => (
              <li key={move.path} className={move.inputs.length === 0 ? 'one-line' : ''}>
                <p className="hint">{move.description}</p>
                <MoveForm move={move} id={id} {...props} />
              </li>
            ))}
        </ul>
      </Panel>
    </>
  )
}

function recordHint(prefix: string, suggested: readonly Suggestion[], id: string): string {
  if (suggested.length === 0) return `An id of the test world: ${prefix}_…`
  const { label } = suggested.find(({ value }) => value === id) ?? {}
  return `${label === undefined ? '' : `${label}. `}Choose or paste another id.`
}

type MoveFormProps = {
  readonly move: Move
  readonly id: string
  readonly run: (playing: Playing) => Promise<Played>
  readonly known: KnownIds
  readonly onDone: (played: Played) => void
}

function MoveForm({ move, id, run, known, onDone }: MoveFormProps) {
  const [values, setValues] = useState<Values>({})
  const playing = useAction({
    run: () => run({ move, id: id.trim(), body: bodyOf(move.inputs, values, known) }),
    done: `Done: ${move.summary}`,
    changes: [],
    onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    playing.mutate(undefined)
  }
  const field = (input: Input) => (
    <InputField
      key={input.name}
      input={input}
      values={values}
      onChange={(value) => setValues((before) => ({ ...before, [input.name]: value }))}
      known={known}
      error={playing.error}
    />
  )
  const optional = move.inputs.filter(({ isRequired }) => !isRequired)
  return (
    <form className="move" onSubmit={submit}>
      {move.inputs.filter(({ isRequired }) => isRequired).map(field)}
      {optional.length > 0 && (
        <details>
          <summary>Optional fields</summary>
          <div className="move">{optional.map(field)}</div>
        </details>
      )}
      <Button type="submit" isDisabled={playing.isPending || (move.of !== null && id === '')}>
        {move.summary}
      </Button>
      <ActionError error={playing.error} />
    </form>
  )
}
