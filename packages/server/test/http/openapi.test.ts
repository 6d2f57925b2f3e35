import { contract, eventNames, type Endpoint } from '@runward/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { useApp } from '@runward/testing/app';

const app = useApp(test);

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string }>>;
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

test('the reference is served from this installation, and nothing on it comes from elsewhere', async (t) => {
  const page = await fetch(`${app.baseUrl}/docs`);
  const html = await page.text();
  t.is(page.status, 200);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  t.true(links.length >= 3);
  for (const link of links) {
    t.true(link.startsWith('/'), link);
    const asset = await fetch(`${app.baseUrl}${link}`);
    t.is(asset.status, 200, link);
    if (link.endsWith('.js')) t.is(asset.headers.get('content-type'), 'text/javascript; charset=utf-8');
    await asset.body?.cancel();
  }
});

test('health answers without a key', async (t) => {
  for (const path of [contract.health.live.path, contract.health.ready.path]) {
    const response = await fetch(`${app.baseUrl}${path}`);
    t.is(response.status, 200);
    t.deepEqual(await response.json(), { status: 'ok' });
  }
});
