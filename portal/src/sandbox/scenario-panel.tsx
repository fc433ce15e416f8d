import { type FormEvent, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { bodyOf, InputField, type Values } from './input-field.tsx'
import type { KnownIds } from './known-ids.ts'
import { type Input, moveOf, type Played, type Playing } from './play.ts'

type Step = {
  readonly group: string
  readonly move: string
  /** The id of the move's record, from the results of earlier steps or from the inputs. Undefined for a move that creates a record. */
  readonly id?: (results: readonly Played[], body: Body) => string
  readonly body?: (body: Body, results: readonly Played[]) => Body
}

type Body = Readonly<Record<string, unknown>>

type Scenario = {
  readonly title: string
  readonly text: string
  readonly inputs: readonly Input[]
  readonly steps: readonly Step[]
}

const OFFERING: Input = {
  name: 'offering',
  kind: 'id',
  prefix: 'ofr',
  isRequired: true,
  hint: 'The offering has to be open.',
}
const INVESTOR: Input = { name: 'investor', kind: 'id', prefix: 'usr', isRequired: true }
const AMOUNT: Input = { name: 'amount_cents', kind: 'cents', isRequired: true }
const NEXT_OFFERING: Input = {
  ...{ name: 'next_offering', kind: 'id', prefix: 'ofr', isRequired: true },
  hint: 'An open offering of the same company that accepts investments.',
}

const idOf = (at: number) => (results: readonly Played[]) => results[at]?.data.id ?? ''
const invest: Step = { group: 'investments', move: 'create' }
const movesOf = (at: number, ...moves: readonly string[]): readonly Step[] =>
  moves.map((move) => ({ group: 'investments', move, id: idOf(at) }))
const toExecution = (at: number) => movesOf(at, 'pay', 'verify_identity', 'sign', 'confirm', 'execute')

const SCENARIOS: readonly Scenario[] = [
  {
    title: 'Investment to execution',
    text: 'A person invests, pays, is verified and signs. The investment is confirmed and executed.',
    inputs: [OFFERING, INVESTOR, AMOUNT],
    steps: [invest, ...toExecution(0)],
  },
  {
    title: 'Reservation to execution',
    text: 'A person reserves while the offering tests the waters, then invests in the real offering. The reservation is converted, and the investment is executed.',
    inputs: [
      { ...OFFERING, accepts: 'reservations', hint: 'An offering that tests the waters.' },
      NEXT_OFFERING,
      INVESTOR,
      AMOUNT,
    ],
    steps: [
      { ...invest, body: ({ next_offering: _, ...body }) => body },
      { ...invest, body: ({ next_offering, ...body }) => ({ ...body, offering: next_offering }) },
      { group: 'investments', move: 'convert', id: idOf(0), body: (_, results) => ({ to: results[1]?.data.id }) },
      ...toExecution(1),
    ],
  },
  {
    title: 'Canceled, then reinstated',
    text: 'A person invests, cancels, and changes their mind within the grace period.',
    inputs: [OFFERING, INVESTOR, AMOUNT],
    steps: [invest, ...movesOf(0, 'cancel', 'reinstate')],
  },
  {
    title: 'Paid, canceled and refunded',
    text: 'A person invests and pays. The investment is canceled and the money goes back.',
    inputs: [OFFERING, INVESTOR, AMOUNT],
    steps: [invest, ...movesOf(0, 'pay', 'cancel', 'refund')],
  },
  {
    title: 'Application, membership and leaving',
    text: 'A person applies to a syndicate, a manager approves, and the member leaves.',
    inputs: [
      {
        name: 'syndicate',
        kind: 'id',
        prefix: 'syn',
        isRequired: true,
        hint: 'A syndicate whose managers approve applications.',
      },
      { name: 'user', kind: 'id', prefix: 'usr', isRequired: true },
    ],
    steps: [
      {
        group: 'syndicates',
        move: 'apply',
        id: (_, { syndicate }) => String(syndicate),
        body: ({ user }) => ({ user }),
      },
      { group: 'memberships', move: 'approve', id: idOf(0), body: () => ({}) },
      { group: 'memberships', move: 'leave', id: idOf(0) },
    ],
  },
]

type ScenarioPanelProps = {
  readonly run: (playing: Playing) => Promise<Played>
  readonly known: KnownIds
}

/** Shows scenarios. One button makes all moves of a scenario. */
export function ScenarioPanel(props: ScenarioPanelProps) {
  return SCENARIOS.map((scenario) => <ScenarioForm key={scenario.title} scenario={scenario} {...props} />)
}

function ScenarioForm({ scenario, run, known }: ScenarioPanelProps & { readonly scenario: Scenario }) {
  const [values, setValues] = useState<Values>({})
  const playing = useAction({
    run: async () => {
      const body = bodyOf(scenario.inputs, values, known)
      const results: Played[] = []
      // Make the moves one after the other, because a move can need the record that an earlier move created or changed.
      for (const step of scenario.steps) {
        const move = moveOf(step.group, step.move)
        const id = step.id?.(results, body) ?? ''
        results.push(await run({ move, id, body: step.body?.(body, results) ?? body }))
      }
    },
    done: `Done: ${scenario.title}`,
    changes: [],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    playing.mutate(undefined)
  }
  return (
    <Panel title={scenario.title} hint={`${scenario.text} The scenario has ${scenario.steps.length} moves.`}>
      <form className="move" onSubmit={submit}>
        {scenario.inputs.map((input) => (
          <InputField
            key={input.name}
            input={input}
            values={values}
            onChange={(value) => setValues((before) => ({ ...before, [input.name]: value }))}
            known={known}
            error={playing.error}
          />
        ))}
        <Button type="submit" isDisabled={playing.isPending}>
          Play: {scenario.title}
        </Button>
        <ActionError error={playing.error} />
      </form>
    </Panel>
  )
}
