import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { keyOfPair } from '../credit/credit-investment.ts'
import { resealKeys, tokenKeyBox } from './token-keys.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const boxOf = (current: string, previous: string[] = []) => tokenKeyBox(keyring(current, previous)('referral-tokens'))

test('after a rotation every key is sealed again with the same value, so that the old secret can be removed', async () => {
  const world = db.databases.test
  const companies = await world.transaction((tx) => Promise.all([makeCompany(tx), makeCompany(tx), makeCompany(tx)]))
  const app = newId('app')
  const keys = (box: ReturnType<typeof boxOf>) =>
    world.transaction(async (tx) => {
      const all: Buffer[] = []
      for (const company of companies) all.push(await keyOfPair(tx, box, { app, company }))
      return all
    })
  const before = await keys(boxOf('old'))
  expect(new Set(before.map(String)).size).toBe(3)
  const rotated = boxOf('new', ['old'])
  const round = () => world.transaction((tx) => resealKeys(tx, rotated, 2))
  expect([await round(), await round(), await round()]).toEqual([2, 1, 0])
  expect(await keys(boxOf('new'))).toEqual(before)
  // Without a rotation no key is sealed again.
  expect(await world.transaction((tx) => resealKeys(tx, boxOf('new'), 2))).toBe(0)
})

test('many transactions that need a key for the first time all get the same one', async () => {
  const world = db.databases.test
  const company = await world.transaction((tx) => makeCompany(tx))
  const pair = { app: newId('app'), company }
  const box = boxOf('secret')
  const made = await Promise.all(Array.from({ length: 6 }, () => world.transaction((tx) => keyOfPair(tx, box, pair))))
  expect(new Set(made.map((key) => key.toString('hex'))).size).toBe(1)
})
