export type { DemoFile } from './demo-file.ts'
export { ensureDemoWorld } from './ensure-demo-world.ts'
export { SEEDED_MAX, type Seeded, seedWorld } from './seed/seed-world.ts'
