import { describeTable } from '#test/state-machine.ts'
import { APP_STATES } from './app.ts'
import { APP_MACHINE } from './change-state.ts'

describeTable(APP_MACHINE, { states: APP_STATES, moves: ['create', 'suspend', 'lift', 'disable', 'enable'] }, [
  'none create → active []',
  'active suspend → suspended []',
  'active disable → disabled [] stop_tokens_for_good',
  'suspended lift → active []',
  'suspended lift → disabled []',
  'disabled suspend → suspended []',
  'disabled enable → active []',
])
