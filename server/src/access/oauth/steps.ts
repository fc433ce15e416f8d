/** One named step: it gets the results of the earlier steps and may add its own. To reject the request, it throws. */
type Step<Before, Added> = (found: Before) => Added | Promise<Added>

type With<Before, Added> = Added extends object ? Before & Added : Before

/** The ordered steps of a protocol endpoint. A step that needs a result which no earlier step adds does not compile. */
export type Steps<In extends object, Found extends object> = {
  readonly names: readonly string[]
  step<Added>(next: Step<Found, Added>): Steps<In, With<Found, Added>>
  run(input: In): Promise<Found>
}

export function inOrder<In extends object>(): Steps<In, In> {
  return listOf([])
}

function listOf<In extends object, Found extends object>(all: readonly Step<never, unknown>[]): Steps<In, Found> {
  return {
    names: all.map(({ name }) => name),
    step: (next) => listOf([...all, next]),
    run: async (input) => {
      const found: object = { ...input }
      for (const step of all) {
        // The signature of `step` checks that earlier steps found what this one needs; the array itself has no such types.
        const added = step(found as never)
        Object.assign(found, added instanceof Promise ? await added : added)
      }
      return found as Found
    },
  }
}
