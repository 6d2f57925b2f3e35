import type { Limits } from '@runward/contract';
import type { FileStore } from '../adapters/file-store.ts';
import type { SignInMethods } from '../adapters/openid/sign-in-methods.ts';
import type { OutboundHttp } from '../adapters/outbound-http.ts';
import type { PdfMaker } from '../adapters/pdf.ts';
import type { Smtp } from '../adapters/smtp.ts';
import type { Em } from '../database/database.ts';
import type { Throttles } from '../limits/throttles.ts';
import type { Actor } from './actor.ts';
import type { Browser } from './browser.ts';
import type { Passwords } from './passwords.ts';

/** Work that runs after a transaction has ended. */
export type Work = () => Promise<void>;

/** What every action gets, whatever the endpoint. */
export interface RequestContext<Who = Actor> {
  readonly actor: Who;
  /** Used by this request only. Inside a transaction on every write, except those of an atomic handler. */
  readonly em: Em;
  /** Runs work in the open transaction, or in a new one if none is open. */
  readonly inTransaction: <Result>(work: (em: Em) => Promise<Result>) => Promise<Result>;
  readonly now: Date;
  /** The version that the record must have (header `If-Match`), or null for any; see `ensureVersion`. */
  readonly ifMatch: string | null;
  /** Notifies the dispatcher after this request commits, but not if it is rolled back. */
  readonly wake: () => void;
  /** Runs work after this request commits, not if it is rolled back. No response waits for it; a failure is logged. */
  readonly afterCommit: (work: Work) => void;
  /**
   * Runs work if this request is rolled back, to undo its effects outside the database. The work does not run if the
   * connection was lost and it is unknown whether the request was committed.
   */
  readonly afterRollback: (work: Work) => void;
  readonly browser: Browser;
  readonly ports: Ports;
}

/** Scans stored files for viruses and makes their thumbnails, in this process or another. */
export interface FileExaminer {
  /** Whether files are scanned. If not, they are served unscanned. */
  readonly hasScanner: boolean;
  /** Reports that a file is due. */
  notify(): void;
}

/** The parts of the process that actions use, independent of the request. */
export interface Ports extends Throttles {
  readonly outbound: OutboundHttp;
  readonly files: FileStore;
  readonly pdf: PdfMaker;
  readonly signInMethods: SignInMethods;
  readonly passwords: Passwords;
  readonly examiner: FileExaminer;
  readonly limits: Limits;
  /** The mail server; null if the service sends no mail. */
  readonly smtp: Smtp | null;
  /** Where members reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Moves date-only deadlines of active runs to the ends of days in a new time zone. The runs feature provides it. */
  readonly moveDeadlines: (context: RequestContext, timeZone: string) => Promise<void>;
}
