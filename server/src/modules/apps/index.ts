export { CLIENT_TYPES, type Client, type ClientType, KEY_STATES, type KeyState } from './client.ts'
export { findClient, lockClient, type Presented } from './client-store.ts'
