import { createHash } from 'node:crypto';

/** All fixed ids begin like this. */
const idPrefix = '0195f3a0-';

const hostName = 'runward.example.com';
const origin = `https://${hostName}`;

/** The fixed time for each property that holds a time of the recording. The times of a record keep their order. */
const times: Readonly<Record<string, string>> = {
  createdAt: '2026-03-02T09:00:00.000Z',
  startedAt: '2026-03-02T09:00:00.000Z',
  scannedAt: '2026-03-02T09:00:00.000Z',
  publishedAt: '2026-03-02T09:10:00.000Z',
  requestedAt: '2026-03-02T09:20:00.000Z',
  submittedAt: '2026-03-02T09:30:00.000Z',
  decidedAt: '2026-03-02T09:35:00.000Z',
  at: '2026-03-02T09:40:00.000Z',
  timestamp: '2026-03-02T09:40:00.000Z',
  nextAttemptAt: '2026-03-02T09:41:00.000Z',
  completedAt: '2026-03-02T09:45:00.000Z',
  cancelledAt: '2026-03-02T09:45:00.000Z',
  finishedAt: '2026-03-02T09:45:00.000Z',
  lastActivityAt: '2026-03-02T09:45:00.000Z',
  editedAt: '2026-03-02T09:45:00.000Z',
  updatedAt: '2026-03-02T09:45:00.000Z',
  lastUsedAt: '2026-03-02T09:45:00.000Z',
  archivedAt: '2026-03-02T09:50:00.000Z',
  disabledAt: '2026-03-02T09:50:00.000Z',
  deadlineAt: '2026-03-04T17:00:00.000Z',
  dueAt: '2026-03-04T17:00:00.000Z',
  expiresAt: '2026-03-09T09:00:00.000Z',
  previousExpiresAt: '2026-03-03T09:00:00.000Z',
};

/** Fixed values for properties that differ between recordings or are secret. Empty values are not replaced. */
const values: Readonly<Record<string, string | number>> = {
  plainKey: `sk_live_${'Example'.repeat(7)}`,
  keyPrefix: 'sk_live_…mple',
  token: `share_${'Example'.repeat(6)}s`,
  tokenPrefix: 'share_…ples',
  secret: 'example-signing-secret-that-nothing-accepts',
  previousSecret: 'another-example-secret-that-nothing-accepts',
  password: 'an example password',
  currentPassword: 'an example password',
  newPassword: 'another example password',
  challenge: 'Example-of-a-challenge',
  rpId: hostName,
  clientDataJSON: 'Example-of-client-data',
  attestationObject: 'Example-of-an-attestation-object',
  authenticatorData: 'Example-of-authenticator-data',
  signature: 'Example-of-a-signature',
  userHandle: 'Example-of-a-user-handle',
  after: 'WzEsMTc3MjQ0NDQwMDAwMF0',
  nextCursor: 'WyIyMDI2LTAzLTAyIiwxXQ',
  durationMs: 84,
  average: 93_600,
  median: 86_400,
  p90: 172_800,
};

const passwordLinkToken = `pwlink_${'Example'.repeat(6)}s`;
const passwordLink = /^http:\/\/127\.0\.0\.1:\d+\/sign-in\/password\//;
const formLink = /^http:\/\/127\.0\.0\.1:\d+\/sign-in\/form\//;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const dayMs = 24 * 60 * 60 * 1000;
const year = 365 * dayMs;

/** What one endpoint was sent and returned is replaced with it. */
export interface StandIns {
  /**
   * Copies a value with fixed ids, times, secrets, URLs and cursors. `place` says where it occurs, such as `runs.get
   * response`.
   */
  replace(value: unknown, place: string): unknown;
}

/**
 * Replaces everything that differs between recordings. A real id always becomes the same fixed id. Ids in `known` are
 * replaced by name, others by the place where they first occur. An example therefore does not change if another one is
 * added.
 */
export function createStandIns(known: Readonly<Record<string, string>>, receiverUrl: string): StandIns {
  const ids = new Map(Object.entries(known).map(([name, id]) => [id, idFor(name)]));
  const standInOf = (id: string, place: string): string => {
    const standIn = ids.get(id) ?? idFor(place);
    ids.set(id, standIn);
    return standIn;
  };

  const ofText = (text: string, place: string, name: string, position: number): string => {
    if (/^http:\/\/127\.0\.0\.1:\d+\/files\//.test(text)) return `${origin}/files/transfer/ZXhhbXBsZQ.c2lnbmF0dXJl`;
    if (formLink.test(text)) return `${origin}/sign-in/form/formlink_${'Example'.repeat(6)}s`;
    if (passwordLink.test(text)) return `${origin}/sign-in/password/${passwordLinkToken}`;
    if (place.endsWith('options.rp.id')) return hostName;
    if (name === 'id' && /^[\w-]{43,48}$/.test(text))
      return `Example-of-${place.endsWith('user.id') ? 'a-user-handle' : 'a-credential-id'}`;
    if (text === '127.0.0.1') return '192.0.2.1';
    if (text === receiverUrl) return 'https://hooks.example.com/runward';
    if (name === 'version' && !/^\d+$/.test(text)) return 'S7c7FlPvad2RfHIDtzByrM';
    if (/^[0-9a-f]{64}$/.test(text)) return createHash('sha256').update(place).digest('hex');
    if (isOfRecording(text)) return timeFor(name, place, position);
    if (isDayOfRecording(text)) return dayFor(text);
    return text
      .replaceAll(/^2999-/g, '2027-')
      .replaceAll(/(?<=\w)[-_][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=@|$)/g, '')
      .replaceAll(uuid, (id) => standInOf(id, place));
  };

  const replace = (value: unknown, place: string, name: string, position: number): unknown => {
    if (value === null || typeof value === 'boolean' || value === '') return value;
    // Statuses also have a property `after`; only the cursor is opaque.
    const isStatus = name === 'after' && typeof value === 'string' && /^[A-Z_]+$/.test(value);
    if (name === 'token' && typeof value === 'string' && value.startsWith('pwlink_')) return passwordLinkToken;
    if (name in values && typeof value !== 'object' && !isStatus) return values[name];
    if (typeof value === 'string') return ofText(value, place, name, position);
    if (Array.isArray(value)) return value.map((each, index) => replace(each, `${place}[${index}]`, name, index));
    if (typeof value !== 'object') return value;
    // The keys of cells are the ids of their columns.
    const copy = Object.fromEntries(
      Object.entries(value).map(([name, each], index) => {
        const key = name.replaceAll(uuid, (id) => standInOf(id, `${place} key ${index}`));
        return [key, replace(each, `${place}.${key}`, key, position)];
      }),
    );
    return { ...copy, ...publicIdsOf(copy) };
  };
  return { replace: (value, place) => replace(value, place, '', 0) };
}

/** Whether a text is a time close to the recording. */
function isOfRecording(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && Math.abs(Date.parse(text) - Date.now()) < year / 12;
}

/** Whether a text is a date close to the recording. */
function isDayOfRecording(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Math.abs(Date.parse(text) - Date.now()) < 3 * dayMs;
}

/** The day of the recording is 2026-03-02. */
function dayFor(text: string): string {
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  return new Date(Date.parse('2026-03-02') + Date.parse(text) - today).toISOString().slice(0, 10);
}

/** Lists begin with the newest, so later items are a minute older. */
function timeFor(name: string, place: string, position: number): string {
  const time = times[name];
  if (time === undefined) throw new Error(`${place}: add \`${name}\` to the times of scripts/examples/stand-ins.ts.`);
  return new Date(Date.parse(time) - position * 60_000).toISOString();
}

function idFor(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${idPrefix}${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/** The public ids of an object. They derive from the id of the run, so a run has the same one everywhere. */
function publicIdsOf({ id, runId, publicId, runPublicId }: Readonly<Record<string, unknown>>) {
  return {
    ...(publicId !== undefined && { publicId: publicIdFor(String(id ?? runId)) }),
    ...(runPublicId !== undefined && { runPublicId: publicIdFor(String(runId)) }),
  };
}

function publicIdFor(runId: string): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  const bytes = [...createHash('sha256').update(runId).digest()].slice(0, 8);
  return `RUN-${bytes.map((byte) => letters[byte % letters.length]).join('')}`;
}
