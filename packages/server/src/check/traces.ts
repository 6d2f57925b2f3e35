import type { TracingSettings } from '../settings/tracing.ts';
import { loadSdk } from '../telemetry/tracing-start.ts';
import { Problem } from './part.ts';

/** Exports an empty list of spans to the receiver of traces, which receivers accept and do not store. */
export async function checkTraces(settings: TracingSettings): Promise<string> {
  await loadSdk(settings);
  const { url, headers, serviceName, sampler } = settings;
  const { ok, status } = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"resourceSpans":[]}',
  });
  if (ok) return `${url} receives the traces of ${serviceName}; the sampler is ${sampler}`;
  if (status === 401 || status === 403) {
    throw new Problem(`${url} returned ${status}`, 'give its key in OTEL_EXPORTER_OTLP_HEADERS');
  }
  throw new Error(`${url} returned ${status}`);
}
