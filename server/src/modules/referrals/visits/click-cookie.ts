import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { CODE_CHARS, CODE_PATTERN } from '../codes/code-form.ts'

/** A page of a company's, where the browser keeps a click for that page alone: a company is a path of its own. */
export type CookiePlace = { readonly path: string; readonly https: boolean }

export type KeptClick = { readonly code: string; readonly clickedAt: WorldTime }

const CODE = new RegExp(CODE_PATTERN)
/** Milliseconds, of years that have four digits. */
const VALUE = /^([0-9A-Za-z-]+)~(\d{12,14})$/
const DAY_SECONDS = 86_400

export function isCode(text: string): boolean {
  return text.length >= CODE_CHARS.min && text.length <= CODE_CHARS.max && CODE.test(text)
}

/**
 * Whoever has not signed in keeps their click themselves: the code and the time, nothing that names them, in a cookie for
 * this page alone that ends with the window. We keep nothing of them. It is not sealed, since one can only claim by it to
 * have followed a link, which anybody can do.
 */
export function clickCookie(place: CookiePlace, click: KeptClick, windowDays: number): string {
  return cookie(place, `${click.code}~${Date.parse(click.clickedAt)}`, windowDays * DAY_SECONDS)
}

export function noClickCookie(place: CookiePlace): string {
  return cookie(place, '', 0)
}

function cookie(place: CookiePlace, value: string, seconds: number): string {
  const attributes = [`Max-Age=${seconds}`, `Path=${place.path}`, 'HttpOnly', 'SameSite=Lax']
  return [`${nameAt(place)}=${value}`, ...attributes, ...(place.https ? ['Secure'] : [])].join('; ')
}

/** Null for none, and for what we would not have written. */
export function readClickCookie(place: CookiePlace, header: string | undefined): KeptClick | null {
  const prefix = `${nameAt(place)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? ''
  const [, code = '', ms = ''] = VALUE.exec(value) ?? []
  if (!isCode(code)) return null
  const iso = new Date(Number(ms)).toISOString()
  return { code, clickedAt: worldTime(`${iso.slice(0, -1)}000Z`) }
}

function nameAt({ https }: CookiePlace): string {
  return https ? '__Secure-portico_ref' : 'portico_ref'
}
