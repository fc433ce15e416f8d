import { ApiError, Client, clientCredentials, NotFoundError } from '@portico/sdk'
import express from 'express'
import { codePage, codesPage } from './pages.ts'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const port = Number(process.env['PORT'] ?? 3003)

/** Codes and statistics belong to the app itself, not to a user or an installation. */
const portico = new Client({
  baseUrl,
  credential: clientCredentials({ clientId, clientSecret, scope: 'write:referral_codes read:public' }),
})

const app = express()
app.disable('x-powered-by')
app.use(express.urlencoded({ extended: false }))

const allCodes = () => portico.list('/referral_codes').toArray()

app.get('/', async (_request, response) => {
  response.send(codesPage(await allCodes()))
})

app.post('/codes', async (request, response) => {
  const { code, name } = request.body as { code?: string; name?: string }
  try {
    const body = { ...(code ? { code } : {}), ...(name ? { name } : {}) }
    const { data } = await portico.post('/referral_codes', { body })
    response.redirect(303, `/codes/${data.id}`)
  } catch (error) {
    // The code exists already, or contains characters that links cannot have: the person can choose another code.
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    response.status(error.status).send(codesPage(await allCodes(), error.message))
  }
})

app.get('/codes/:id', async (request, response) => {
  const { id } = request.params
  const { data: code } = await portico.get('/referral_codes/{id}', { path: { id } })
  const weeks = await portico.list('/referral_codes/{id}/stats', { path: { id } }).toArray()
  const companies = new Set(weeks.flatMap((week) => week.companies.map(({ company }) => company)))
  response.send(codePage(code, weeks, new Map(await Promise.all([...companies].map(nameOf)))))
})

/** Returns the id and the name of a company. For a company that is no longer public, the id replaces the name. */
async function nameOf(id: string): Promise<[string, string]> {
  try {
    const { data } = await portico.get('/companies/{id}', { path: { id } })
    return [id, data.attributes.name]
  } catch (error) {
    if (error instanceof NotFoundError) return [id, id]
    throw error
  }
}

app.listen(port, '127.0.0.1', () => console.log(`Open http://127.0.0.1:${port}`))
