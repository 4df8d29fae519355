import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'
import { keepAccessible } from './accessible.ts'

/** Folder in which the service is, also behind a reverse proxy. */
const service = new URL('.', location.href)

const answer = await fetch(new URL('api/openapi.json', service))
// Swagger UI warns of any dialect but its own, which does not change how it shows our schemas.
const spec = {
  ...(await answer.json()),
  servers: [{ url: service.href.replace(/\/$/, '') }],
  jsonSchemaDialect: undefined,
}

// The colours of Swagger UI follow a class instead of the browser's setting.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUI({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // All its colours have enough contrast.
  syntaxHighlight: { theme: 'tomorrow-night' },
})
keepAccessible(document.querySelector('#reference')!)
