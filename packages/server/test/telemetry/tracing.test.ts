import { Writable } from 'node:stream';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import { notFound, unavailable } from '../../src/api-error.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { inAttemptSpan, inMailSpan } from '../../src/telemetry/tracing-calls.ts';
import { inRequestSpan } from '../../src/telemetry/tracing-requests.ts';
import { startSdk } from '../../src/telemetry/tracing-sdk.ts';
import { inStep, inTrace, outsideTraces, traceHeaders } from '../../src/telemetry/tracing.ts';
import { startCollector, type ExportedSpan } from '../support/world/collector.ts';

/** Runs work while spans are exported to a URL. Returns the warnings, and how long the end took. */
async function traced(url: string, work: () => Promise<void>) {
  const warnings: unknown[] = [];
  const settings = { url, headers: {}, serviceName: 'test', sampler: 'always_on', ratio: 1 } as const;
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };
  const stop = startSdk({ setting: 'OTEL_EXPORTER_OTLP_ENDPOINT', ...settings }, log);
  try {
    await work();
  } finally {
    const began = performance.now();
    await stop();
    warnings.push(performance.now() - began);
  }
  const stopMs = Number(warnings.pop());
  return { warnings, stopMs };
}

/** Runs work, and returns what was exported of it by name. */
async function exported(work: () => Promise<void>): Promise<Map<string, ExportedSpan>> {
  await using collector = await startCollector();
  await traced(`${collector.baseUrl}/v1/traces`, work);
  return new Map(collector.spans().map((span) => [span.name, span]));
}

const failure = (span: ExportedSpan | undefined) => (span?.status.code === 2 ? span.attributes['error.type'] : null);

test.serial('a span fails with the code or the class of an error, never its message, and not by a 4xx', async (t) => {
  const failing = (name: string, error: Error) =>
    t.throwsAsync(
      inTrace(name, {}, async () => {
        throw error;
      }),
    );
  const spans = await exported(async () => {
    await failing('missing', notFound('a secret'));
    await failing('unavailable', unavailable('a secret'));
    await failing('conflict', Object.assign(new Error('a secret'), { code: '40001' }));
    await failing('defect', new TypeError('a secret'));
  });
  t.is(failure(spans.get('missing')), null);
  t.is(failure(spans.get('unavailable')), 'unavailable');
  t.is(failure(spans.get('conflict')), '40001');
  t.is(failure(spans.get('defect')), 'TypeError');
  t.notRegex(JSON.stringify([...spans]), /secret/);
});

test.serial('a request that fails, or whose client disconnects, has failed', async (t) => {
  const request = { method: 'PROPFIND', scheme: 'http', headers: {} };
  const end = { operation: undefined, organizationId: undefined, path: undefined };
  const spans = await exported(async () => {
    for (const [route, status] of [
      ['/failed', 503],
      ['/left', null],
      ['/fine', 404],
    ] as const)
      inRequestSpan(request, (ended) => ended({ ...end, route, status }));
  });
  t.is(failure(spans.get('HTTP /failed')), '503');
  t.is(failure(spans.get('HTTP /left')), 'aborted');
  t.is(failure(spans.get('HTTP /fine')), null);
  t.is(spans.get('HTTP /fine')?.attributes['http.request.method'], '_OTHER');
});

test.serial('an attempt and a mail that fail have failed, and their URLs are not exported', async (t) => {
  const attempt = {
    organizationId: 'o',
    webhookId: 'w',
    deliveryId: 'd',
    url: 'https://user:pw@a.example:8443/pw?t=pw',
  };
  const timedOut = { statusCode: null, error: 'No complete response.', timedOut: true };
  const spans = await exported(async () => {
    await inAttemptSpan(attempt, async (headers) => {
      t.regex(headers['traceparent'] ?? '', /^00-/);
      return timedOut;
    });
    await inMailSpan('smtps://user:pw@mail.example', async () => ({ outcome: 'REJECTED' as const }));
  });
  t.is(failure(spans.get('POST webhook')), 'timeout');
  t.like(spans.get('POST webhook')?.attributes, { 'server.address': 'a.example', 'server.port': 8443 });
  t.is(failure(spans.get('send mail')), 'rejected');
  t.is(spans.get('send mail')?.attributes['server.address'], 'mail.example');
  t.notRegex(JSON.stringify([...spans]), /pw|user/);
});

test.serial('a step is a part of the span around it, and what serves several requests of none', async (t) => {
  const lines: string[] = [];
  const log = createLog('info', new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }));
  const spans = await exported(async () => {
    await inTrace('whole', {}, () => inStep('part', async () => log.info({ at: 'part' }, 'inside')));
    await inTrace('other', {}, () => outsideTraces(() => inStep('alone', async () => log.info('outside'))));
  });
  t.deepEqual([...spans.keys()].toSorted(), ['other', 'part', 'whole']);
  const { traceId, spanId } = spans.get('whole') ?? {};
  t.like(spans.get('part'), { traceId, parentSpanId: spanId });
  const [inside, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  t.like(inside, { traceId, at: 'part', msg: 'inside' });
  t.is(outside?.['traceId'], undefined);
});

test.serial('without tracing, work just runs, and no header names a trace', async (t) => {
  t.is(await inTrace('whole', {}, () => inStep('part', async () => 1)), 1);
  t.deepEqual(await inTrace('whole', {}, async () => traceHeaders()), {});
});

async function makeSpans(count: number) {
  for (let index = 0; index < count; index += 1) await inTrace(`span ${index}`, {}, async () => {});
}

test.serial('spans that wait at the end are all exported, and those that found no room are dropped', async (t) => {
  await using collector = await startCollector();
  const { warnings } = await traced(collector.baseUrl, () => makeSpans(3_000));
  t.deepEqual(warnings, []);
  const { length } = collector.spans();
  t.true(length >= 2_048 && length < 3_000, String(length));
});

test.serial('a receiver that does not respond keeps the end waiting for two seconds', async (t) => {
  await using silent = await startReceiver(() => () => {});
  const { warnings, stopMs } = await traced(silent.url, () => makeSpans(3_000));
  t.true(stopMs >= 1_900 && stopMs < 5_000, `${stopMs} ms`);
  t.deepEqual(warnings, []);
});

test.serial('a receiver that rejects several batches is reported once', async (t) => {
  await using rejecting = await startReceiver(() => 400);
  const { warnings } = await traced(rejecting.url, async () => {
    await until(async () => {
      await makeSpans(512);
      return rejecting.received.length >= 3;
    }, 'three batches');
  });
  t.is(warnings.length, 1);
});
