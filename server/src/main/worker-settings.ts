/** What a worker needs to run, plain enough to be handed to a thread. */
export type WorkerSettings = { readonly databaseUrl: string; readonly poolSize: number; readonly logLevel: string }
