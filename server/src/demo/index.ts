export { type DemoPlan, planDemo } from './apply-demo.ts'
export type { DemoFile } from './demo-file.ts'
export { type Demo, ensureDemoWorld } from './ensure-demo-world.ts'
export { SEEDED_MAX, type Seeded, seedWorld } from './seed/seed-world.ts'
