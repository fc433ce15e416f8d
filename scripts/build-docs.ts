import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run build:docs

Builds the guides of docs/ and the search of the documentation into docs-site/dist, from where a running server serves
them at /docs/guides and /docs/search. npm ci runs this command too. Where the renderer is not installed, as after npm
ci --omit=dev, the command builds nothing and says so.

Examples:

  npm run build:docs
`
const SITE = join(import.meta.dirname, '../docs-site')
const [DIST, DRAFT, OLD] = ['dist', 'dist.draft', 'dist.old'].map((name) => join(SITE, name)) as [
  string,
  string,
  string,
]

if (import.meta.main) {
  scriptOptions({}, HELP)
  const startedMs = performance.now()
  const renderer = await import('../docs-site/render-guides.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  })
  if (renderer === null) process.stdout.write('The guides are not built: markdown-it and shiki are not installed.\n')
  else {
    const { readGuideIndex } = await import('../docs-site/guide-index.ts')
    const index = await readGuideIndex()
    const guides = await renderer.renderGuides(index)
    await rm(DRAFT, { recursive: true, force: true })
    await mkdir(join(DRAFT, 'guides'), { recursive: true })
    for (const { slug, html, markdown } of guides) {
      await writeFile(join(DRAFT, 'guides', `${slug}.html`), html)
      await writeFile(join(DRAFT, 'guides', `${slug}.md`), markdown)
    }
    const listed = guides.map(({ html: _, markdown: __, ...guide }) => guide)
    await writeFile(join(DRAFT, 'guides.json'), JSON.stringify({ variables: index.variables, guides: listed }))
    const { buildSearch } = await import('../docs-site/search/build-search.ts')
    await buildSearch(guides, join(DRAFT, 'search'))
    await replaceBuild()
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
    process.stdout.write(`Built ${guides.length} guides and the search (${seconds} s).\n`)
  }
}

/** Replaces the build by renaming folders, so that a running server never finds half a build. */
async function replaceBuild(): Promise<void> {
  await rm(OLD, { recursive: true, force: true })
  await rename(DIST, OLD).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(DRAFT, DIST)
  await rm(OLD, { recursive: true, force: true })
}
