import type { ScopeName } from './catalogue.ts'

/** "An app that requests no scope receives read:profile", whether it declares it or not. */
export const DEFAULT_SCOPE: ScopeName = 'read:profile'
