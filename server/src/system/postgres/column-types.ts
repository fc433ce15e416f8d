import { types } from 'pg'

const IDENTITY = (text: string): string => text
const OID = { json: 114, jsonb: 3802, date: 1082, timestamp: 1114, timestamptz: 1184 } as const

/**
 * How PostgreSQL's text becomes values. Times stay text with all six digits of the fraction (a JavaScript Date would
 * cut three of them off), JSON stays the text it is (most of it goes straight to the wire), bigint stays a string.
 */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (format === 'binary') return types.getTypeParser(oid, 'binary')
    switch (oid) {
      case OID.timestamptz:
        return utcText
      case OID.json:
      case OID.jsonb:
      case OID.date:
      case OID.timestamp:
        return IDENTITY
      default:
        return types.getTypeParser(oid)
    }
  },
}

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/** `2026-11-15 08:30:00.12+00` to `2026-11-15T08:30:00.120000Z`; every connection runs in UTC with ISO dates. */
export function utcText(text: string): string {
  const parts = TIMESTAMPTZ.exec(text)
  if (parts === null) throw new TypeError(`a time outside the years 0001 to 9999, or not in UTC: ${text}`)
  const [, day, time, fraction = ''] = parts
  return `${day}T${time}.${fraction.padEnd(6, '0')}Z`
}
