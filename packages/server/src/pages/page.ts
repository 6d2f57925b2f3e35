import type { UploadedFile } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Markup } from './html.ts';

/** A member who has signed in. */
export interface Visitor {
  readonly actor: Actor;
  readonly name: string;
  /** What the forms of this session have to repeat. */
  readonly csrfToken: string;
  /** Calls the endpoints of this service as the member. */
  readonly api: Client;
}

/** A request for a page. */
export interface PageRequest extends Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports'> {
  /** Runs work that no response waits for. A page has no transaction that could be committed, so it begins at once. */
  readonly afterRollback: RequestContext['afterRollback'];
  readonly method: Page['method'];
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The query as in the URL, with its question mark; empty if there is none. */
  readonly search: string;
  /** The languages that the browser prefers, as it states them. */
  readonly acceptLanguage: string;
  /** The fields of a form; empty for a GET. */
  readonly form: URLSearchParams;
  /** The file of a form with one, which is removed after the request; otherwise null. */
  readonly file: UploadedFile | null;
  /** Where clients reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Runs work that no response waits for; a failure is logged. */
  readonly inBackground: (work: Promise<void>) => void;
  /** The id of the request, with which operators find it in the log. */
  readonly requestId: string;
  /** Adds to the log why the request was rejected, which is not for people. */
  readonly report: (reason: string) => void;
  /** The member who has signed in, or null. Counts the request; throws a 429. */
  readonly findVisitor: () => Promise<Visitor | null>;
}

/** A page of HTML. */
export interface HtmlPage {
  readonly status: number;
  readonly html: Markup;
  /** How long anyone may keep it, in seconds. Default: no one may. */
  readonly publicForSeconds?: number;
  /** The origins of its images, besides this service. */
  readonly imageOrigins?: readonly string[];
  /** Whether its path is a secret, which no request that it causes may state. Default: it is none. */
  readonly hidesPath?: boolean;
  /** Whether it loads scripts of this service. Default: it loads none. */
  readonly hasScripts?: boolean;
}

/** A file that never changes: its URL contains a hash of it. */
export interface Asset {
  readonly contentType: string;
  readonly content: Buffer;
  /** The same, compressed. Default: there is no such copy. */
  readonly gzip?: Buffer;
}

/** A way to another page of this service, to the signed URL of a file, or to a provider that signs people in. */
export interface Redirect {
  readonly redirectTo: string;
}

/** What a request for a page results in. */
export type PageResponse = HtmlPage | Asset | Redirect;

/** A page, or what a form of one does. Throws an ApiError, which is shown as a page. */
export interface Page {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** Default: that of the method. */
  readonly effect?: 'read' | 'write';
  /** Whether it reads at a replica of the database, if there is one. Who has signed in is not read there. */
  readonly reads?: 'replica';
  /** The most bytes that its form may have. Default: 16,384. With 0, anyone may send anything, and nothing is read. */
  readonly maximumFormBytes?: number;
  /** The most bytes of the file `file` of its form, which is `multipart/form-data` then. Default: it has no file. */
  readonly maximumFileBytes?: number;
  readonly show: (request: PageRequest) => Promise<PageResponse>;
}
