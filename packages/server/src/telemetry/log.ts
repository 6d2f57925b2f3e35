import { levels, pino, type DestinationStream, type LogFn, type Logger } from 'pino';
import { activeTraceId } from './tracing.ts';

const redacted = '[redacted]';
const secretName =
  /password|secret|token|^(?:authorization|cookie|set-cookie|plainkey|apikey|x-service-csrf|x-flow-signature.*)$/i;
const apiKeys = /(sk_live_)[0-9A-Za-z]+/g;
const formats = /(sk_live_|share_|pwlink_|formlink_)[0-9A-Za-z]+/g;
/** A token follows these segments of a path, even if the path matches no endpoint. Ids of shares are not tokens. */
const tokensInPaths =
  /((?:shared-templates|files\/+transfer|mail\/+unsubscribe|sign-in\/+password)(?:\/|%2f)+)(?![0-9a-f-]{36}\b|:)[^/?"\\\s]+/gi;
/** Properties of an error that are logged in addition to its message. */
const errorProperties = ['code', 'constraint', 'table', 'column', 'syscall', 'address', 'port', 'status'] as const;
const maximumDepth = 6;
const maximumErrors = 10;

/**
 * Lines are collected for at most this long, in milliseconds, or up to this many bytes. A fatal line and the exit write
 * them at once. Of lines that cannot be written, this many bytes wait until they can.
 */
const batch = { periodicFlush: 100, minLength: 8_192, maxLength: 10_000_000 };

/**
 * Creates a log that writes one line of JSON per entry, by default in batches to standard output. Secrets are redacted
 * by the name of their property, at any depth. API keys and tokens are redacted anywhere, by their format or their
 * place in a path. A line that is written in a trace has its id. An unknown level means `info`.
 */
export function createLog(level = 'info', destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level: level === 'silent' || Object.hasOwn(levels.values, level) ? level : 'info',
    formatters: {
      log: (properties: object) =>
        withTraceId((withoutSearch.has(properties) ? properties : redact(properties)) as Record<string, unknown>),
    },
    // `redact` has already converted errors.
    serializers: { err: (error: unknown) => error },
    hooks: { logMethod: logWithoutDetail, streamWrite: withoutSecrets },
  };
  return pino(options, destination);
}

/** The service goes on while its lines cannot be written, as on a full disk or to a terminal that was closed. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, ...batch });
  const { flushSync } = output;
  // It tries until it succeeds, so that the process would hang.
  output.on('error', () => (output.flushSync = () => {}));
  output.on('write', () => (output.flushSync = flushSync));
  return output;
}

/** Resolves when the lines of a log are written, or when writing them has failed, so that an exit need not wait. */
export async function flushed(log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  log.flush(() => resolve());
  return promise;
}

/** A mixin of pino would copy the entry, which then would be searched although its fields are known. */
function withTraceId(fields: Record<string, unknown>): Record<string, unknown> {
  const traceId = activeTraceId();
  return traceId === undefined ? fields : { ...fields, traceId };
}

const withoutSearch = new WeakSet<object>();

/** An entry of texts and numbers without secrets, for the line of each request: its names need not be searched. */
export function knownFields<Fields extends Readonly<Record<string, string | number | boolean | null>>>(
  fields: Fields,
): Fields {
  withoutSearch.add(fields);
  return fields;
}

/** Redacts API keys, and the tokens of shares, of file URLs, of password links and of links in mails, in a text. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(tokensInPaths, `$1${redacted}`).replaceAll(formats, `$1${redacted}`);
}

/** Redacts API keys only, in the path of a request that is shown to its caller. */
export function withoutApiKeys(path: string): string {
  return path.replaceAll(apiKeys, `$1${redacted}`);
}

/**
 * Removes PostgreSQL's detail from an entry's message if the message comes from its error, explicitly or by default.
 */
function logWithoutDetail(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, message] = args as unknown[];
  const error = first instanceof Error ? first : (first as { err?: unknown } | null | undefined)?.err;
  if (error instanceof Error && (message === undefined || message === error.message)) {
    const properties = first instanceof Error ? { err: first } : first;
    method.call(this, properties, withoutDetail(error, error.message));
  } else {
    method.apply(this, args);
  }
}

function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maximumDepth) return '[too deep]';
  if (value instanceof Error) return describe(value, depth);
  if (ArrayBuffer.isView(value)) return '[binary]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (value instanceof Date || value instanceof URL) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecret(name, part) ? redacted : redact(part, depth + 1)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return value !== null && value !== undefined && secretName.test(name);
}

/** Redacts PostgreSQL's detail in a text of an error: it repeats whole rows. The ORM adds it to message and stack. */
export function withoutDetail(error: Error, text: string): string {
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
  return detail === '' ? text : text.replaceAll(detail, redacted);
}

function describe(error: Error, depth: number): Record<string, unknown> {
  const properties = error as Error & Partial<Record<(typeof errorProperties)[number], unknown>>;
  const inner = (each: unknown) => redact(each, depth + 1);
  return {
    type: error.name,
    message: withoutDetail(error, error.message),
    stack: withoutDetail(error, error.stack ?? ''),
    ...Object.fromEntries(
      errorProperties.filter((name) => properties[name] != null).map((name) => [name, inner(properties[name])]),
    ),
    ...(error.cause !== undefined && { cause: inner(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.slice(0, maximumErrors).map(inner) }),
  };
}
