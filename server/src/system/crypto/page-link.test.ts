import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyring } from './keyring.ts'
import { pageLinks } from './page-link.ts'

const OLD = 'a'.repeat(64)
const NEW = 'b'.repeat(64)
const links = pageLinks(keyring(OLD)('hosted-links'))
const id = newId('investmentSession')

test('a link opens to its world and its id', () => {
  expect(links.open('investmentSession', links.make('test', id))).toEqual({ world: 'test', id })
  expect(links.open('investmentSession', links.make('live', id))).toEqual({ world: 'live', id })
  expect(links.make('live', id)).not.toBe(links.make('test', id))
})

test('a bare id, another kind of id, the token of another id and a changed link do not open', () => {
  const link = links.make('test', id)
  const token = link.split('.')[1] ?? ''
  const flipped = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  const swapped = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  const wrong = [id, `${id}.`, `${newId('investmentSession')}.${token}`, `${id}.${flipped}`, `${id}.${swapped}`]
  for (const each of [...wrong, `${link}.`, `${link}=`, `il_${link.slice(3)}`, '']) {
    expect(links.open('investmentSession', each)).toBeNull()
  }
  expect(links.open('inviteLink', link)).toBeNull()
})

test('a link from an earlier sealing secret opens only while that secret is listed', () => {
  const link = links.make('test', id)
  expect(pageLinks(keyring(NEW, [OLD])('hosted-links')).open('investmentSession', link)).toEqual({ world: 'test', id })
  expect(pageLinks(keyring(NEW)('hosted-links')).open('investmentSession', link)).toBeNull()
})
