/** A limit on what one organization, record, request or client may use, so that it cannot starve the others. */
export interface Limit {
  /** What it bounds, beginning in lower case, without a period. */
  readonly bounds: string;
  readonly unit: 'bytes' | 'bytes per second' | 'connections' | 'items' | 'mails' | 'requests' | 'seconds';
  readonly default: number;
  /** What happens beyond it. */
  readonly beyond: string;
}

/**
 * Every limit that operators can set. The environment variable is `LIMIT_` and the name in capitals; see {@link
 * limitVariable}.
 */
export const limits = {
  documentBytes: {
    bounds: 'the draft of a template, and a version of it, as JSON',
    unit: 'bytes',
    default: 2_000_000,
    beyond: '400 for a change that makes it larger; what is larger already can be read and made smaller',
  },
  runBytes: {
    bounds:
      'the entries of a run, their values, and the tasks that it keeps of earlier versions, as JSON, plus 200 for each of them',
    unit: 'bytes',
    default: 2_000_000,
    beyond: '400 for a change that makes it larger',
  },
  rowBytes: {
    bounds: 'the cells of a row, as JSON',
    unit: 'bytes',
    default: 100_000,
    beyond: '400 for a change that makes it larger',
  },
  pageBytes: {
    bounds: 'the items of a page of a list, as stored; a page has at least one',
    unit: 'bytes',
    default: 2_000_000,
    beyond: 'the page ends before its `limit`, with `hasMore` and `nextCursor`',
  },
  countedItems: {
    bounds: 'the items that a list with `total=bounded` counts',
    unit: 'items',
    default: 10_000,
    beyond: '`total` is the limit, with `totalIsExact: false`',
  },
  receivingBytes: {
    bounds: 'the bodies that an organization is sending at a time, except files',
    unit: 'bytes',
    default: 20_000_000,
    beyond: '429 with `Retry-After`',
  },
  requestsInWork: {
    bounds: 'the requests of an organization that are in work at a time, apart from those with much data',
    unit: 'requests',
    default: 8,
    beyond: 'the request waits',
  },
  largeRequestsInWork: {
    bounds:
      'its requests with much data that are in work at a time; the next one begins after twice as long as one took',
    unit: 'requests',
    default: 1,
    beyond: 'the request waits',
  },
  requestsWaiting: {
    bounds: 'the requests of an organization that wait for that',
    unit: 'requests',
    default: 200,
    beyond: '429 with `Retry-After`',
  },
  streams: {
    bounds:
      'the exports, PDFs, ZIPs and files that an organization is receiving at a time, and those that it is sending',
    unit: 'requests',
    default: 8,
    beyond: '429 with `Retry-After`',
  },
  pdfsWaiting: {
    bounds: 'the PDFs of an organization that wait to be made; a process makes one at a time',
    unit: 'requests',
    default: 6,
    beyond: '429 with `Retry-After`',
  },
  transferRate: {
    bounds:
      'the average speed, from below, at which a client has to send a body and receive a response, after 30 seconds',
    unit: 'bytes per second',
    default: 1_000,
    beyond: 'the connection is closed',
  },
  connectionsPerAddress: {
    bounds: 'the connections of one client address; with a proxy in front, those of the proxy are not limited',
    unit: 'connections',
    default: 200,
    beyond: 'the connection is closed',
  },
  mailsPerMember: {
    bounds: 'the mails to a member in 24 hours',
    unit: 'mails',
    default: 100,
    beyond: 'the mail waits',
  },
  mailsPerOrganization: {
    bounds: 'the mails to the members of an organization in 24 hours',
    unit: 'mails',
    default: 5_000,
    beyond: 'the mail waits',
  },
} as const satisfies Record<string, Limit>;

/** The name of a limit. */
export type LimitName = keyof typeof limits;

/** A value for each limit. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The default of every limit. */
export const defaultLimits = Object.fromEntries(
  Object.entries(limits).map(([name, limit]) => [name, limit.default]),
) as unknown as Limits;

/** The environment variable that sets a limit, like `LIMIT_DOCUMENT_BYTES`. */
export function limitVariable(name: LimitName): string {
  return `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
