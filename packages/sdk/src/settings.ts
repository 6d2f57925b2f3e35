import { RunwardError } from './errors/errors.ts';
import { isNode } from './files/node-module.ts';
import type { Hooks } from './hooks.ts';
import { checkNames } from './option-names.ts';
import type { AppInfo, ClientOptions } from './options.ts';
import { createTransport, type Transport } from './request/transport.ts';
import { version } from './version.ts';

/** The sources of time and chance that a client depends on. Tests replace them. */
export interface Timing {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `onEnd` once after this time, unless the returned function is called first. */
  readonly startTimer: (ms: number, onEnd: () => void) => () => void;
  /** The current time in epoch milliseconds. */
  readonly now: () => number;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
}

// Timers take 31 bits. A longer delay would fire at once.
const longestTimer = 2 ** 31 - 1;

/** Real timers and random numbers. */
export const realTiming: Timing = {
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const end = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, longestTimer));
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
    }),
  startTimer: (ms, onEnd) => {
    const timer = setTimeout(onEnd, ms);
    return () => clearTimeout(timer);
  },
  now: Date.now,
  random: Math.random,
};

/**
 * The checked options of a client, with defaults. They are held in closures only, so that printing a client does not
 * show the key.
 */
export interface Settings {
  readonly apiKey: string | null;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterSeconds: number;
  readonly idempotencyKeys: boolean;
  readonly userAgent: string;
  readonly hooks: Hooks;
  readonly transport: Transport;
  readonly timing: Timing;
}

/**
 * Checks the options and adds defaults from the environment.
 *
 * @throws RunwardError naming the invalid option, but not the key
 */
export function readSettings(options: ClientOptions, timing: Timing): Settings {
  checkNames(options);
  const environment = isNode ? process.env : {};
  const { timeoutMs = 30_000, maxRetries = 2, maxRetryAfterSeconds = 60, hooks = {}, appInfo } = options;
  if (!(maxRetryAfterSeconds >= 0)) throw new RunwardError('`maxRetryAfterSeconds` must be a number, 0 or more.');
  return {
    apiKey: readKey(options.apiKey ?? environment['RUNWARD_API_KEY'] ?? ''),
    baseUrl: readBaseUrl(options.baseUrl ?? environment['RUNWARD_BASE_URL'] ?? ''),
    timeoutMs: checkTimeout(timeoutMs),
    maxRetries: checkRetries(maxRetries),
    maxRetryAfterSeconds,
    idempotencyKeys: options.idempotencyKeys ?? true,
    userAgent: userAgent(appInfo),
    hooks,
    // Looked up per request: tools may replace the global fetch later.
    transport: createTransport(
      options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timing.startTimer,
      hooks,
    ),
    timing,
  };
}

/**
 * A usable `timeoutMs`.
 *
 * @throws RunwardError unless it is a positive number
 */
export function checkTimeout(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new RunwardError('`timeoutMs` must be a number of milliseconds greater than 0.');
  return Math.min(timeoutMs, longestTimer);
}

/**
 * A usable `maxRetries`.
 *
 * @throws RunwardError unless it is a whole number, 0 or more
 */
export function checkRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new RunwardError('`maxRetries` must be a whole number, 0 or more; 0 disables retries.');
}

function readKey(given: string): string | null {
  const key = given.trim();
  if (key === '') return null;
  // The key is not printed, because it may be a different secret. The server checks its length and checksum.
  if (!/^sk_live_[\w-]+$/.test(key)) {
    throw new RunwardError(
      'The API key (`apiKey` or RUNWARD_API_KEY) must be `sk_live_` followed by letters and digits. Copy the key again, and nothing else.',
    );
  }
  return key;
}

function readBaseUrl(given: string): string {
  const text = given.trim() || 'http://127.0.0.1:3000';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new RunwardError(
      '`baseUrl` (or RUNWARD_BASE_URL) must be an http or https URL, like https://runward.example.com.',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RunwardError('`baseUrl` (or RUNWARD_BASE_URL) must have no user name, password, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function userAgent(app: AppInfo | undefined): string {
  const suffix = app && [app.name, ...(app.version ? [`/${app.version}`] : []), ...(app.url ? [` (${app.url})`] : [])];
  const runtime = isNode ? [`node/${process.versions.node}`] : [];
  const agent = [`runward-sdk/${version}`, ...runtime, ...(suffix ? [suffix.join('')] : [])];
  if (/^[\x20-\x7e]*$/.test(agent.join(' '))) return agent.join(' ');
  throw new RunwardError('`appInfo` must contain only printable ASCII characters; it is sent in a header.');
}
