import { inCatalogueOrder, type ScopeName, type ScopeNames } from './catalogue.ts'

/**
 * "An editor's installation drops write scopes silently." Dropped, not turned into the read: they include: the
 * installation shows what was asked for and granted, and nothing that nobody asked for. No read: implies a write:,
 * so what is left cannot write.
 */
export function withoutWrites(scopes: ScopeNames): readonly ScopeName[] {
  return inCatalogueOrder(scopes).filter((name) => !name.startsWith('write:'))
}
