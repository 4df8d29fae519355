/**
 * Swagger UI comes without types. The options that we use:
 * https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
 */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUI(options: {
    spec: object
    dom_id: string
    deepLinking: boolean
    validatorUrl: null
    docExpansion: 'none'
    defaultModelsExpandDepth: number
    displayRequestDuration: boolean
    tryItOutEnabled: boolean
    syntaxHighlight: { theme: 'tomorrow-night' }
  }): void
}
