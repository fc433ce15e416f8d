import { expect, test } from 'vitest'
import { twoStages } from './two-stages.ts'

/** Stages that end when they are told to, and what has happened so far. */
function watched() {
  const happened: string[] = []
  const waiting = new Map<string, PromiseWithResolvers<string>>()
  const stage = (name: string) => (item: string) => {
    const step = Promise.withResolvers<string>()
    happened.push(`${name} ${item}`)
    waiting.set(`${name} ${item}`, step)
    return step.promise
  }
  const settle = (step: string) => {
    const one = waiting.get(step)
    if (one === undefined) throw new Error(`${step} has not begun`)
    return one
  }
  const turns = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    happened,
    stages: { first: stage('look'), second: stage('tell') },
    end: (step: string) => {
      settle(step).resolve(step.split(' ')[1] ?? '')
      return turns()
    },
    fail: (step: string) => {
      settle(step).reject(new Error(step))
      return turns()
    },
  }
}

test('the next is looked at while the one before is told, and no more than two are told at once', async () => {
  const { happened, stages, end } = watched()
  const all = twoStages(['a', 'b', 'c'], stages)
  await end('look a')
  expect(happened).toEqual(['look a', 'tell a', 'look b'])
  await end('look b')
  await end('look c')
  expect(happened.slice(3)).toEqual(['tell b', 'look c'])
  await end('tell a')
  expect(happened.slice(5)).toEqual(['tell c'])
  await end('tell c')
  await end('tell b')
  expect(await all).toEqual(['a', 'b', 'c'])
})

test.each([
  { failing: 'look b', meanwhile: ['tell a'] },
  { failing: 'tell a', meanwhile: ['look b', 'look c', 'tell b'] },
])('where $failing fails nothing more is told, and that is heard when all that was begun has ended', async (one) => {
  const { happened, stages, end, fail } = watched()
  const heard: string[] = []
  const all = twoStages(['a', 'b', 'c'], stages).catch((error: Error) => heard.push(error.message))
  await end('look a')
  await fail(one.failing)
  for (const step of one.meanwhile) {
    expect(heard).toEqual([])
    await end(step)
  }
  await all
  expect(heard).toEqual([one.failing])
  expect(happened).not.toContain('tell c')
})

test('of nothing comes nothing', async () => {
  expect(await twoStages([], watched().stages)).toEqual([])
})
