import { levels, pino, type DestinationStream, type LogFn, type Logger } from 'pino';

const censored = '[redacted]';
const secretName =
  /password|secret|token|^(?:authorization|cookie|set-cookie|plainkey|apikey|x-service-csrf|x-flow-signature.*)$/i;
const apiKey = /sk_live_[0-9A-Za-z]+/g;
/** What is told of an error besides its message. */
const errorFacts = ['code', 'constraint', 'table', 'column', 'syscall', 'address', 'port', 'status'] as const;
const deepest = 6;
const mostErrors = 10;

/**
 * The log: one line of JSON each, on standard output unless told otherwise. Secrets are left out by the name of their property, at any
 * depth, and by their look, anywhere. A level that does not exist counts as `info`.
 */
export function createLog(level = 'info', destination?: DestinationStream): Logger {
  const options = {
    level: level === 'silent' || Object.hasOwn(levels.values, level) ? level : 'info',
    formatters: { log: (facts: object) => censor(facts) as Record<string, unknown> },
    // Errors were put into plain words by then.
    serializers: { err: (error: unknown) => error },
    hooks: { logMethod: sayPlainly, streamWrite: withoutSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A text without the API keys in it. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(apiKey, `sk_live_${censored}`);
}

/** An error that is logged without words of ours, or with its own, says what it says without its detail. */
function sayPlainly(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, message] = args as unknown[];
  const error = first instanceof Error ? first : (first as { err?: unknown } | null | undefined)?.err;
  if (error instanceof Error && (message === undefined || message === error.message)) {
    const facts = first instanceof Error ? { err: first } : first;
    method.call(this, facts, withoutDetail(error, error.message));
  } else {
    method.apply(this, args);
  }
}

function censor(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[too deep]';
  if (value instanceof Error) return describe(value, depth);
  if (ArrayBuffer.isView(value)) return '[binary]';
  if (Array.isArray(value)) return value.map((item) => censor(item, depth + 1));
  if (value instanceof Date || value instanceof URL) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return censor(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecret(name, part) ? censored : censor(part, depth + 1)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return value !== null && value !== undefined && secretName.test(name);
}

/** A text of an error without the detail PostgreSQL adds: it repeats whole rows, and the ORM puts it into message and stack. */
export function withoutDetail(error: Error, text: string): string {
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
  return detail === '' ? text : text.replaceAll(detail, censored);
}

function describe(error: Error, depth: number): Record<string, unknown> {
  const facts = error as Error & Partial<Record<(typeof errorFacts)[number], unknown>>;
  const inner = (each: unknown) => censor(each, depth + 1);
  return {
    type: error.name,
    message: withoutDetail(error, error.message),
    stack: withoutDetail(error, error.stack ?? ''),
    ...Object.fromEntries(errorFacts.filter((name) => facts[name] != null).map((name) => [name, inner(facts[name])])),
    ...(error.cause !== undefined && { cause: inner(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.slice(0, mostErrors).map(inner) }),
  };
}
