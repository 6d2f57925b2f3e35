import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { scopes } from '@runward/contract';
import { signIn, type Api } from '@runward/testing/api';
import { createRandom, type Random } from '@runward/testing/random';
import type { KeyHistory, KeyRequest, Revocation } from '../history/key-history.ts';
import type { Owner } from './approver.ts';
import type { Pace } from './pace.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/** Clients whose keys are revoked while they use them. When they are stopped, their last keys are revoked, too. */
export type KeyHolders = KeyHistory & Stoppable;

interface Process {
  readonly name: string;
  readonly baseUrl: string;
}

interface Key {
  readonly id: string;
  readonly plainKey: string;
}

const timeoutMs = 8_000;
/** Number of concurrent requests per key. */
const connections = 3;
/** How long a key is used after its revocation was acknowledged. */
const afterMs = 1_500;

/**
 * Starts clients that read and write at all API processes. Each uses one key after another; every key is revoked at a
 * random time.
 */
export async function startKeyHolders(
  apis: readonly Process[],
  { ownerEmail, ownerPassword }: Owner,
  seed: number,
  pace: Pace,
): Promise<KeyHolders> {
  const sessions = await Promise.all(apis.map(({ baseUrl }) => signIn(baseUrl, ownerEmail, ownerPassword)));
  const revocations: Revocation[] = [];
  const requests: KeyRequest[] = [];

  const hold = async (random: Random, signal: AbortSignal) => {
    while (!signal.aborted) {
      const key = await createKey(sessions, random);
      if (!key) continue;
      const revoked = new AbortController();
      const using = Array.from({ length: connections }, () =>
        use(apis, key, { requests, random, pace }, revoked.signal),
      );
      await pause(random.between(300, 6_000), undefined, { signal }).catch(() => {});
      const from = Date.now();
      const to = await revoke(sessions, key, random);
      revocations.push({ keyId: key.id, from, to });
      await pause(afterMs);
      revoked.abort();
      await Promise.all(using);
    }
  };
  const names = ['key holder 1', 'key holder 2'];
  return {
    revocations,
    requests,
    ...untilStopped((signal) => Promise.all(names.map((name) => hold(createRandom(seed, name), signal)))),
  };
}

/** Null without a response, or for an error of the service, because a fault may be the reason. */
async function createKey(sessions: readonly Api[], random: Random): Promise<Key | null> {
  try {
    const body = { name: 'Revoked under load', scopes: [...scopes] };
    const response = await sessionOf(sessions, random).call('apiKeys', 'create', { body });
    if (response.status === 201) return response.body;
  } catch {
    // Tried again below.
  }
  await pause(500);
  return null;
}

/**
 * Repeats a revocation until it is acknowledged. A 404 counts, because an earlier attempt without a response then took
 * effect.
 */
async function revoke(sessions: readonly Api[], { id }: Key, random: Random): Promise<number | null> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(200)) {
    try {
      const { status } = await sessionOf(sessions, random).call('apiKeys', 'revoke', { params: { id } });
      if (status === 204 || status === 404) return Date.now();
    } catch {
      // The process was killed.
    }
  }
  return null;
}

function sessionOf(sessions: readonly Api[], random: Random): Api {
  const session = sessions[Math.floor(random.between(0, sessions.length))];
  if (!session) throw new Error('The cluster has no API process.');
  return session;
}

/** Sends one request after the other with a key. */
async function use(
  apis: readonly Process[],
  { id: keyId, plainKey }: Key,
  { requests, random, pace }: { readonly requests: KeyRequest[]; readonly random: Random; readonly pace: Pace },
  signal: AbortSignal,
): Promise<void> {
  for (; !signal.aborted; await pause(random.between(10, 80))) {
    await pace();
    const api = apis[Math.floor(random.between(0, apis.length))];
    const [method, path, body] = random.pick(requestsOf(keyId));
    const from = Date.now();
    const status = await fetch(`${api?.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${plainKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => null,
    );
    requests.push({ keyId, name: `${method} ${path} of ${api?.name}`, from, to: Date.now(), status });
  }
}

type Sent = readonly [method: string, path: string, body?: object];

/** A read, a write, and a command and a read that check the key in the statement that selects the run. */
function requestsOf(keyId: string): readonly [Sent, ...Sent[]] {
  const runId = randomUUID();
  return [
    ['GET', '/runs?limit=1'],
    ['GET', `/runs/${runId}`],
    ['PATCH', `/runs/${runId}`, { title: 'No run' }],
    ['POST', '/folders', { name: `Of ${keyId} ${runId}` }],
  ];
}
