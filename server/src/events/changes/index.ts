export {
  type Change,
  findChanges,
  findWaitingInvestments,
  investmentsChanged,
  type OneChange,
  putBackChanges,
  recordInvestmentChange,
  type Share,
  setAside,
  takeChanges,
} from './store.ts'
