/** `GET /api/openapi.json`, generated from the contract's schemas. */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { toJsonSchema } from '@valibot/to-json-schema';

/** Builds the document once and serves it. */
export function serveOpenApi(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Nivida')
    .setDescription('Government tenders of India. Not a government site.')
    .setVersion('1')
    .addBearerAuth()
    .build();
  let document: unknown;
  app
    .getHttpAdapter()
    .getInstance()
    .get('/api/openapi.json', async () => {
      document ??= SwaggerModule.createDocument(app, config, {
        standardSchemaConverter: (schema, { schemaType }) => ({
          schema: toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], {
            typeMode: schemaType,
            target: 'openapi-3.0',
            errorMode: 'ignore',
          }) as Record<string, unknown>,
        }),
      });
      return document;
    });
}
