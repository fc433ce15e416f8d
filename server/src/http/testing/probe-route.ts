import { Type } from 'typebox'

/** The parts of a route declaration that do not matter to a test. */
export const probe = { summary: 'Probe', tag: 'probe' }

export const Ok = Type.Object({ ok: Type.Boolean() })
export const respondsOk = { schema: { response: { 200: Ok } }, handler: async () => OK } as const
const OK = { status: 200 as const, body: { ok: true } }
