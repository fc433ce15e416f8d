import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { demandProof } from '../shell/session.tsx'
import { showToast } from '../ui/toast.tsx'
import { ApiFailure } from './client.ts'

type Action<Input, Result> = {
  readonly run: (input: Input) => Promise<Result>
  /** What the toast says; none without it, as where a dialog shows the result. */
  readonly done?: string
  /** What is read again afterwards. */
  readonly changes: readonly QueryKey[]
  readonly onDone?: (result: Result) => void
}

/**
 * A change that the person makes. Where the server asks for a recent proof of identity, the person confirms and the same request
 * is sent again; if they cancel, the server's error is shown.
 */
export function useAction<Input, Result>({ run, done, changes, onDone }: Action<Input, Result>) {
  const queries = useQueryClient()
  const readAgain = async () => {
    await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  return useMutation<Result, Error, Input>({
    mutationFn: async (input) => {
      try {
        return await run(input)
      } catch (error) {
        const url = error instanceof ApiFailure ? error.confirmUrl : null
        if (url === null || !(await demandProof(url))) throw error
        return run(input)
      }
    },
    onSuccess: async (result) => {
      if (done !== undefined) showToast(done)
      onDone?.(result)
      await readAgain()
    },
    // A rejected change often means that the page is out of date.
    onError: readAgain,
  })
}
