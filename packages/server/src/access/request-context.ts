import type { Limits } from '@runward/contract';
import type { FileStore } from '../adapters/file-store.ts';
import type { OutboundHttp } from '../adapters/outbound-http.ts';
import type { PdfMaker } from '../adapters/pdf.ts';
import type { Em } from '../database/database.ts';
import type { GuessThrottle } from '../limits/guess-throttle.ts';
import type { SignInThrottle } from '../limits/sign-in-throttle.ts';
import type { Actor } from './actor.ts';
import type { Browser } from './browser.ts';
import type { Passwords } from './passwords.ts';

/** Work that runs after a transaction has ended. */
export type Work = () => Promise<void>;

/** What every action gets, whatever its endpoint. */
export interface RequestContext<Who = Actor> {
  readonly actor: Who;
  /** Of this request alone; inside a transaction on every write except those of an atomic handler. */
  readonly em: Em;
  /** Runs work in a transaction: the open one if there is one, otherwise a new one. */
  readonly inTransaction: <Result>(work: (em: Em) => Promise<Result>) => Promise<Result>;
  readonly now: Date;
  /** The version that the record must have (header `If-Match`), or null for any; see `ensureVersion`. */
  readonly ifMatch: string | null;
  /** Notifies the dispatcher after the commit of this request; does nothing if it is rolled back. */
  readonly wake: () => void;
  /** Runs work after the commit of this request, not if it is rolled back. The response does not wait for it; a failure is logged. */
  readonly afterCommit: (work: Work) => void;
  /**
   * Runs work if this request is rolled back, to undo its effects outside the database. If it is not known whether it was committed, because
   * the connection was lost, the work does not run.
   */
  readonly afterRollback: (work: Work) => void;
  readonly browser: Browser;
  readonly ports: Ports;
}

/** Scans stored files for viruses and makes their thumbnails, in this process or another. */
export interface FileExaminer {
  /** Whether files are scanned. Otherwise they are served unscanned. */
  readonly hasScanner: boolean;
  /** Says that a file is due. */
  notify(): void;
}

/** What actions use of the process, independent of the request. */
export interface Ports {
  readonly outbound: OutboundHttp;
  readonly files: FileStore;
  readonly pdf: PdfMaker;
  readonly signInThrottle: SignInThrottle;
  /** Of tokens of shares. */
  readonly shareThrottle: GuessThrottle;
  readonly passwords: Passwords;
  readonly examiner: FileExaminer;
  readonly limits: Limits;
  /** Moves date-only deadlines of active runs to the ends of days in a new time zone; provided by the runs feature. */
  readonly moveDeadlines: (context: RequestContext, timeZone: string) => Promise<void>;
}
