import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { recentlyProven, signedIn } from '#http/access.ts'
import { fieldErrors } from '#http/input/field-errors.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError, type ErrorType, type FieldError, validationError } from '#kernel/errors.ts'
import { button, errorSummary, form } from '#pages/elements.ts'
import { away } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { Person } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'

/** What the definition of every settings route contains. `PROVEN_FORM` replaces the access rule. */
export const PAGE = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const

export const FORM = { ...PAGE, method: 'POST', accepts: ['application/x-www-form-urlencoded'] } as const

/** For forms that show a secret or personal data, or that delete an app or an account: they need a recent proof. */
export const PROVEN_FORM = { ...FORM, access: recentlyProven() } as const

type Return = { readonly operation: string; readonly path: string; readonly to: (path: string) => string }

/** After a recent proof, the browser returns to the form's address with GET. So this GET redirects to the page with the form. */
export function formReturn({ operation, path, to }: Return): Route {
  return route({
    ...PAGE,
    operation,
    method: 'GET',
    path,
    summary: 'Show the page of a form',
    description: 'Redirects to the page that contains the form. The form is sent to this address with POST.',
    schema: { params: Type.Record(Type.String(), Type.String()), response: { 303: Type.Null() } },
    handler: async ({ params }) => {
      const address = Object.entries(params).reduce((text, [name, value]) => text.replace(`:${name}`, value), path)
      return away(to(address))
    },
  })
}

export const Page = Type.String()
/** The responses of a form: a redirect to a page that confirms the change, or the page again with the errors. */
export const FormResponses = { 303: Type.Null(), 403: Page, 409: Page, 422: Page }

/** The signed-in person and the platform's brand. */
export type Viewer = { readonly brand: ShownBrand; readonly person: Person; readonly csrf: string }

export type Mistake = { readonly field?: string; readonly message: string }

/** Why a form was not accepted, and what the person typed, which the page shows again. */
export type Rejection = {
  readonly status: 403 | 409 | 422
  /** The name of the form, because a page may have several. */
  readonly form: string
  readonly mistakes: readonly Mistake[]
  readonly typed: Readonly<Record<string, unknown>>
}

const SHOWN_ON_THE_PAGE: ReadonlySet<ErrorType> = new Set([
  'validation_error',
  'invalid_scopes',
  'forbidden',
  'illegal_transition',
])

type Attempt<T> = {
  readonly form: string
  readonly typed: Readonly<Record<string, unknown>>
  /** The labels of the fields on the page, by the fields' names in the request. */
  readonly labels: Readonly<Record<string, string>>
  readonly work: () => Promise<T>
}

/** Runs a use case for a form. Errors of the types in SHOWN_ON_THE_PAGE are returned as a rejection; all others are thrown. */
export async function attempt<T>({ form: name, typed, labels, work }: Attempt<T>) {
  try {
    return { done: await work(), rejected: null }
  } catch (error) {
    if (!(error instanceof ApiError) || !SHOWN_ON_THE_PAGE.has(error.type)) throw error
    const status = error.status === 403 ? 403 : error.status === 409 ? 409 : 422
    const rejected: Rejection = { status, form: name, mistakes: mistakesOf(error, labels), typed }
    return { done: null, rejected }
  }
}

function mistakesOf(error: ApiError, labels: Readonly<Record<string, string>>): Mistake[] {
  const fields = error.type === 'validation_error' ? (error.details?.['fields'] as FieldError[] | undefined) : undefined
  if (fields === undefined) return [{ message: [error.public, error.remediation ?? ''].join(' ').trim() }]
  return fields.map(({ field, message }) => {
    const name = field.replace(/[[.].*$/, '')
    const label = labels[name]
    return label === undefined
      ? { message: `${field} ${message}.` }
      : { field: name, message: `${label} ${message.replace(/\.$/, '')}.` }
  })
}

/**
 * Validates a form by the schema of the API for the same act. An empty field counts as omitted, because a browser sends every
 * field of a form.
 */
export function formReader<S extends TSchema>(schema: S): (typed: Readonly<Record<string, unknown>>) => Static<S> {
  const validator = Compile(schema)
  return (typed) => {
    const filled = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '' && value !== undefined))
    if (validator.Check(filled)) return filled as Static<S>
    throw validationError(fieldErrors(validator.Errors(filled), 'form'))
  }
}

/** The error of a field of this form, which the page shows at the field. */
export function errorOf(rejected: Rejection | null, form: string, field: string): string | undefined {
  return rejected?.form === form ? rejected.mistakes.find((one) => one.field === field)?.message : undefined
}

/** The text that the person typed before, so that they need not type it again. */
export function typedIn(rejected: Rejection | null, form: string, field: string, otherwise = ''): string {
  const typed = rejected?.form === form ? rejected.typed[field] : undefined
  return typeof typed === 'string' ? typed : otherwise
}

export function summaryOf(rejected: Rejection | null): HtmlValue {
  return rejected === null ? undefined : errorSummary(rejected.mistakes, 'Nothing was changed')
}

type SelectParts = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly selected?: string | undefined
  readonly error?: string | undefined
}

export function select({ id, name, label, options, selected, error }: SelectParts): Html {
  const choices = options.map(
    ([value, text]) => html`<option value="${value}"${value === selected && html` selected`}>${text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label>${
    error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`
  }<select id="${id}" name="${name}"${error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>${choices}</select></div>`
}

type FoldedParts = {
  readonly summary: string
  readonly action: string
  readonly csrf: string
  /** An explanation of what the form does, and, on some forms, a field in which the person confirms the change. */
  readonly content: HtmlValue
  readonly label: string
  readonly open?: boolean
}

/**
 * A collapsed form for a change with lasting effects, so that the person reads about the effects before they press the button.
 */
export function foldedAct({ summary, action, csrf, content, label, open = false }: FoldedParts): Html {
  const sent = form({ action, csrf, content: [content, button({ label, kind: 'danger' })] })
  return html`<details class="act"${open && html` open`}><summary>${summary}</summary>${sent}</details>`
}
