import { z } from 'zod';

/** The samplers that decide which traces are exported; the variable `OTEL_TRACES_SAMPLER` has one of these names. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where traces are sent, and which. */
export interface TracingSettings {
  /** The variable that names the place. */
  readonly setting: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' | 'OTEL_EXPORTER_OTLP_ENDPOINT';
  /** The URL to which spans are posted. */
  readonly url: string;
  /** Headers of these requests, such as a key of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof samplers)[number];
  /** The share of the traces that a sampler by ratio exports, from 0 to 1. */
  readonly ratio: number;
}

const endpoint = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(text) && URL.canParse(text),
    'must be a URL like http://127.0.0.1:4318 without a query; a key of the receiver belongs in OTEL_EXPORTER_OTLP_HEADERS; omit it to export no traces',
  )
  .optional();

const headers = z.string().transform((text, { issues }) => {
  const parsed = parseHeaders(text);
  if (parsed !== null) return parsed;
  const message =
    'must be a list of headers like name=value,other-name=value, in which other characters than printable ASCII, and commas, are encoded like %2C';
  issues.push({ code: 'custom', input: undefined, message });
  return z.NEVER;
});

const ratio = z
  .string()
  .refine((text) => /^(?:\d+\.?\d*|\.\d+)$/.test(text) && Number(text) <= 1, 'must be a number from 0 to 1')
  .transform(Number);

/** The values of the variables about traces. The headers are a secret. */
export const tracingValues = {
  endpoint,
  headers: headers.optional(),
  serviceName: z.string().min(1, 'must not be empty; remove the variable for runward').default('runward'),
  sampler: z.enum(samplers, { error: `must be ${samplers.join(', ')}` }).default('parentbased_always_on'),
  ratio: ratio.default(1),
} as const;

/** The variables about traces in a parsed environment. */
export interface TracingVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER: TracingSettings['sampler'];
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** The settings in a parsed environment; undefined if no traces are exported. */
export function tracingOf(data: TracingVariables): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = data;
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined) return undefined;
  return {
    setting: own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    url,
    headers: data.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: data.OTEL_SERVICE_NAME,
    sampler: data.OTEL_TRACES_SAMPLER,
    ratio: data.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** A list like `name=value,other=value`, as the specification of OpenTelemetry defines it. Null if it is none. */
function parseHeaders(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((pair): [string, string] | null => {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
    const decoded = decode(value.trim());
    return name !== '' && decoded !== null && /^[\x20-\x7e]*$/.test(decoded) ? [name.toLowerCase(), decoded] : null;
  });
  return pairs.some((pair) => pair === null) ? null : Object.fromEntries(pairs.flatMap((pair) => (pair ? [pair] : [])));
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
