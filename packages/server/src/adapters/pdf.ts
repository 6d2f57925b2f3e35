import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import pLimit from 'p-limit';
import { ApiError } from '../api-error.ts';
import { removeAbandoned } from './durable-files.ts';

/** A document to lay out: a Typst file, and what it reads. */
export interface PdfDocument {
  /** Path of the Typst file. */
  readonly source: string;
  /** What the Typst file reads by absolute names like `/run.json`: texts, and paths of local files. */
  readonly texts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Makes PDFs in a process of its own, one after the other. */
export interface PdfMaker {
  /**
   * A document as PDF/UA-1; as tagged PDF if it contains characters that no font has. Throws a 503 if too many documents wait, and a 500 if
   * the layout exceeds its time or memory.
   */
  make(document: PdfDocument, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Ends the process. */
  stop(): Promise<void>;
}

/** What bounds the process. */
export interface PdfLimits {
  /** Of one document. */
  readonly timeoutMs: number;
  /** How many documents may be in work or wait. */
  readonly documents: number;
  /** The layout never releases all of its memory, so the process is replaced after this many documents, or this time. */
  readonly documentsPerProcess: number;
  readonly processLifetimeMs: number;
  /** It ends when there is nothing to do for this time. */
  readonly idleMs: number;
}

/** A message to the process: the paths that it reads and writes. It stays small, because sending a large message blocks. */
export interface PdfJob {
  readonly source: string;
  readonly files: Readonly<Record<string, string>>;
  readonly target: string;
}

/** What became of a job: the problem or null, and the memory that the process has in use afterwards. */
export interface PdfOutcome {
  readonly problem: string | null;
  readonly megabytes: number;
}

interface Compiler {
  readonly process: ChildProcess;
  readonly startedAt: number;
  jobs: number;
}

const program = join(import.meta.dirname, `pdf-process${extname(import.meta.filename)}`);
/** Of the process. A large report leaves much of it in use, so that the process is replaced early. */
const memoryMegabytes = 1_500;
const keptMegabytes = 400;

const defaults: PdfLimits = {
  timeoutMs: 30_000,
  documents: 20,
  documentsPerProcess: 500,
  processLifetimeMs: 600_000,
  idleMs: 60_000,
};

/**
 * Opens the folder in which PDFs lie until they are sent; the process starts with the first document. `fontsDir`: a folder with fonts besides
 * those that ship with the service.
 */
export async function openPdfMaker(
  folder: string,
  fontsDir: string | undefined,
  limits: Partial<PdfLimits> = {},
): Promise<PdfMaker> {
  const { timeoutMs, documents, documentsPerProcess, processLifetimeMs, idleMs } = { ...defaults, ...limits };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  const inTurn = pLimit(1);
  let compiler: Compiler | null = null;
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const ended = compiler;
    compiler = null;
    if (ended) await kill(ended.process);
  };

  const compile = async (job: PdfJob) => {
    clearTimeout(idle);
    if (compiler && isWornOut(compiler)) await end();
    compiler ??= { process: start(fontsDir), startedAt: Date.now(), jobs: 0 };
    compiler.jobs += 1;
    const result = await perform(compiler.process, job, timeoutMs);
    if (typeof result === 'string' || result.megabytes > keptMegabytes) await end();
    idle = setTimeout(() => void end(), idleMs).unref();
    return result;
  };
  const isWornOut = ({ process, jobs, startedAt }: Compiler) =>
    !process.connected || jobs >= documentsPerProcess || Date.now() - startedAt > processLifetimeMs;

  /** A process that died, unless it was by this document, is replaced once. */
  const make = async (job: PdfJob, signal: AbortSignal) => {
    signal.throwIfAborted();
    let result = await compile(job);
    if (result === 'ended') result = await compile(job);
    if (result === 'hung') throw tooLarge(`within ${timeoutMs / 1_000} s`);
    if (result === 'ended') throw tooLarge(`with ${memoryMegabytes} MB of memory`);
    if (result.problem !== null) throw new Error(`The PDF could not be made: ${result.problem}`);
  };

  return {
    make: async function* (document, signal) {
      if (inTurn.activeCount + inTurn.pendingCount >= documents) throw busy();
      const own = join(folder, randomUUID());
      try {
        const target = join(own, 'document.pdf');
        await inTurn(async () => {
          await mkdir(own, { mode: 0o700 });
          const files = { ...document.files, ...(await writeTexts(document.texts, own)) };
          await make({ source: document.source, files, target }, signal);
        });
        yield* createReadStream(target);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
    stop: end,
  };
}

/** Writes texts to files of a folder. Returns the paths by the names of the texts. */
async function writeTexts(texts: PdfDocument['texts'], folder: string): Promise<Record<string, string>> {
  const written = Object.entries(texts).map(async ([name, text], index) => {
    const path = join(folder, String(index));
    await writeFile(path, text, { mode: 0o600 });
    return [name, path] as const;
  });
  return Object.fromEntries(await Promise.all(written));
}

/** The process does not keep the service from ending, and ends with it. */
function start(fontsDir: string | undefined): ChildProcess {
  const child = fork(program, [String(memoryMegabytes), ...(fontsDir === undefined ? [] : [fontsDir])], {
    execArgv: ['--max-old-space-size=256'],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // What it did not receive is noticed by its end.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

async function perform(child: ChildProcess, job: PdfJob, timeoutMs: number): Promise<PdfOutcome | 'hung' | 'ended'> {
  if (hasEnded(child)) return 'ended';
  const over = new AbortController();
  const { signal } = over;
  const expired = AbortSignal.timeout(timeoutMs);
  try {
    child.ref();
    child.channel?.ref();
    const first = Promise.race([
      once(child, 'message', { signal }).then(([outcome]) => outcome as PdfOutcome),
      once(child, 'exit', { signal }).then(() => 'ended' as const),
      once(expired, 'abort', { signal }).then(() => 'hung' as const),
    ]);
    child.send(job, () => {});
    return await first;
  } finally {
    over.abort();
    child.unref();
    child.channel?.unref();
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exited;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function busy(): ApiError {
  return new ApiError(503, 'Too many PDFs are being made; retry in a moment.', { retryAfter: 5 });
}

function tooLarge(limit: string): ApiError {
  return new ApiError(500, `The PDF could not be made ${limit}; export CSV instead.`);
}
