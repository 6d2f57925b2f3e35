import { startServer, type Respond } from '@runward/testing/http-server';
import type { ExecutionContext } from 'ava';
import { buildClient } from '../../src/client.ts';
import type { ClientOptions } from '../../src/index.ts';
import type { Timing } from '../../src/settings.ts';

/** The API key of these tests. */
export const apiKey = 'sk_live_TestOnly0123456789abcdef';

/** The id of a record. */
export const id = '0195f3a0-0000-7000-8000-000000000001';

/** Responds to a request; `expireTimeout` expires the running timeout. */
export type RespondTo = (...args: [...Parameters<Respond>, expireTimeout: () => void]) => unknown;

/** A timer of a client. Only the test lets it expire. */
export interface Timer {
  readonly ms: number;
  isRunning: boolean;
  expire(): void;
}

/** The time of the clients. */
export const now = new Date('2026-03-01T09:30:00Z');

/**
 * A server and a client for it. Waits between attempts are recorded and skipped, jitter is 0.5, and the time is `now`.
 */
export async function newClient(t: ExecutionContext, respond: RespondTo, options: ClientOptions = {}) {
  const { given, timing, ...server } = await newServer(t, respond, options);
  return { ...server, runward: buildClient(given, timing) };
}

/** A server, and what a client for it is made with. */
export async function newServer(t: ExecutionContext, respond: RespondTo, options: ClientOptions) {
  const waits: number[] = [];
  const timers: Timer[] = [];
  const expireTimeout = () => timers.filter(({ isRunning }) => isRunning).forEach((timer) => timer.expire());
  const server = await startServer(t, (...args) => respond(...args, expireTimeout));
  const timing: Timing = {
    sleep: async (ms) => {
      waits.push(ms);
    },
    startTimer: (ms, onEnd) => {
      const timer: Timer = {
        ms,
        isRunning: true,
        expire() {
          timer.isRunning = false;
          onEnd();
        },
      };
      timers.push(timer);
      return () => void (timer.isRunning = false);
    },
    now: () => now.getTime(),
    random: () => 0.5,
  };
  const given = { apiKey, baseUrl: server.baseUrl, ...options };
  return { ...server, given, timing, waits, timers, expireTimeout };
}

/** The error that a call rejects with. */
export async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('The call succeeded; it was expected to fail.');
}

/** A fetch function that calls back when the headers of a response have arrived, before its body is read. */
export function fetchThen(onHeaders: () => unknown): typeof fetch {
  return async (...args) => {
    const response = await fetch(...args);
    onHeaders();
    return response;
  };
}
