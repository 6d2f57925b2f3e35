import { contract, eventNames, type Endpoint } from '@runward/contract';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';

const app = useSharedApp(test);

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
  webhooks: Record<string, unknown>;
}

async function readDocument(): Promise<Document> {
  const response = await fetch(`${app.baseUrl}${contract.openapi.get.path}`);
  return (await response.json()) as Document;
}

test('the document is valid OpenAPI 3.1 and has every endpoint and event', async (t) => {
  const document = await readDocument();

  const result = await new Validator().validate(structuredClone(document) as never);
  t.true(result.valid, JSON.stringify(result.errors));
  t.regex(document.openapi, /^3\.1\./);
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((each) => each.operationId),
  );
  const endpoints = Object.entries(contract).flatMap(([group, each]) =>
    Object.keys(each as Record<string, Endpoint>).map((name) => `${group}.${name}`),
  );
  t.deepEqual(operations.sort(), endpoints.sort());
  t.deepEqual(Object.keys(document.webhooks).sort(), [...eventNames].sort());
});

test('each operation states who may call it: a key with its scope, a session with its CSRF token, or anyone', async (t) => {
  const { paths, components } = await readDocument();
  t.deepEqual(Object.keys(components.securitySchemes).sort(), ['apiKey', 'csrfToken', 'session']);
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, { access, method, path }] of Object.entries<Endpoint>(endpoints)) {
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const session = method === 'GET' ? { session: [] } : { session: [], csrfToken: [] };
      const isForSessions = access === 'session' || access === 'administrator';
      const key = { apiKey: access === 'authenticated' ? [] : [access] };
      const expected = access === 'public' ? [] : isForSessions ? [session] : [key, session];
      t.deepEqual(operation?.security, expected, `${group}.${name}`);
    }
  }
});

test('uploads and downloads are described by their media types', async (t) => {
  const { paths, components } = await readDocument();
  const upload = paths['/templates/{id}/background-image']?.['post'];
  t.deepEqual(Object.keys(upload?.requestBody?.content ?? {}), ['multipart/form-data']);
  const body = upload?.requestBody?.content['multipart/form-data']?.schema;
  t.deepEqual(body, { $ref: '#/components/schemas/UploadBackgroundImage' });
  const form = components.schemas['UploadBackgroundImage'];
  t.like(form, { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } });
  const content = paths['/runs/export/csv']?.['get']?.responses['200']?.content;
  t.deepEqual(content, { 'text/csv': { schema: { type: 'string', format: 'binary' } } });
});

test('health needs no authentication', async (t) => {
  for (const path of [contract.health.live.path, contract.health.ready.path]) {
    const response = await fetch(`${app.baseUrl}${path}`);
    t.is(response.status, 200);
    t.deepEqual(await response.json(), { status: 'ok' });
  }
});
