import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfJob, PdfOutcome } from '@runward/pdf';
import { ApiError } from '../api-error.ts';
import { removeAbandoned } from './durable-files.ts';
import { pdfPackage, type PdfPackages } from './pdf-packages.ts';

/** A document to lay out: a Typst file, and the files that it reads. */
export interface PdfDocument {
  /** Path of the Typst file. */
  readonly source: string;
  /** The files that the Typst file reads by absolute names like `/run.json`: texts, and paths of local files. */
  readonly texts: Readonly<Record<string, string | AsyncIterable<string>>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Collects the content of a document. Files that it needs can be put into the folder, which is removed afterwards. */
type Prepare = (folder: string, signal: AbortSignal) => Promise<PdfDocument>;

/** Makes PDFs in a separate process, one after the other. Organizations take turns. */
export interface PdfMaker {
  /**
   * A document as PDF/UA-1, or as tagged PDF if it contains characters that no font has. It is prepared when its turn
   * comes, so that waiting documents take no memory. Throws a 429 if too many documents of the organization wait, and a
   * 500 if preparation or layout exceeds its time or memory, or if the package of the program is not installed.
   */
  make(organizationId: string, prepare: Prepare, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Ends the process. */
  stop(): Promise<void>;
}

/** The limits of the process. */
export interface PdfLimits {
  readonly preparationMs: number;
  /** Longest layout of a document. Each megabyte of its texts adds the same time again, up to three times this time. */
  readonly layoutMs: number;
  /** The process ends when it needs more memory. */
  readonly memoryMegabytes: number;
  /** The process is replaced after this many documents, or this time, because layout never releases all memory. */
  readonly documentsPerProcess: number;
  readonly processLifetimeMs: number;
  /** The process ends after it was idle for this time. */
  readonly idleMs: number;
}

interface Compiler {
  readonly process: ChildProcess;
  readonly startedAt: number;
  jobs: number;
}

/** A large report leaves much memory in use, so the process is replaced early. */
const keptMegabytes = 400;

/** The signals by which others end the process. A document that ends it causes another signal, or an exit code. */
const signalsOfOthers = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

const defaults: PdfLimits = {
  preparationMs: 30_000,
  layoutMs: 10_000,
  memoryMegabytes: 1_500,
  documentsPerProcess: 500,
  processLifetimeMs: 600_000,
  idleMs: 60_000,
};

/**
 * Opens the folder that holds PDFs until they are sent. The process starts with the first document. `begin` waits for
 * the turn of an organization and returns a function that ends the turn; it throws a 429.
 */
export async function openPdfMaker(
  folder: string,
  packages: PdfPackages,
  begin: (organizationId: string) => Promise<() => void>,
  limits: Partial<PdfLimits> = {},
): Promise<PdfMaker> {
  const { preparationMs, layoutMs, memoryMegabytes, documentsPerProcess, processLifetimeMs, idleMs } = {
    ...defaults,
    ...limits,
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  let compiler: Compiler | null = null;
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const ended = compiler;
    compiler = null;
    if (ended) await kill(ended.process);
  };

  const compile = async (job: PdfJob, signal: AbortSignal) => {
    clearTimeout(idle);
    if (compiler && isWornOut(compiler)) await end();
    compiler ??= { process: start(packages, memoryMegabytes), startedAt: Date.now(), jobs: 0 };
    compiler.jobs += 1;
    const result = await perform(compiler.process, job, signal);
    if (typeof result === 'string' || result.megabytes > keptMegabytes) await end();
    idle = setTimeout(() => void end(), idleMs).unref();
    return result;
  };
  const isWornOut = ({ process, jobs, startedAt }: Compiler) =>
    !process.connected || jobs >= documentsPerProcess || Date.now() - startedAt > processLifetimeMs;

  /** A process that others have killed is replaced once. One that the document has ended would end again. */
  const layOut = async (job: PdfJob, megabytes: number, signal: AbortSignal) => {
    const timeoutMs = Math.round(layoutMs * Math.min(1 + megabytes, 3));
    const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let result = await compile(job, over);
    if (result === 'killed') result = await compile(job, over);
    if (result === 'stopped') throw notMade(inSeconds(timeoutMs));
    if (result === 'out of memory') throw notMade(`with ${memoryMegabytes} MB of memory`);
    if (result === 'killed' || result === 'ended') throw notMade('because the process that lays it out has ended');
    if (result.problem !== null) {
      throw Object.assign(new Error(`The PDF could not be made: ${result.problem}`), { code: result.code });
    }
    if (result.lacksGlyphs) packages.reportMissingGlyphs();
  };

  const prepareIn = async (own: string, prepare: Prepare, signal: AbortSignal) => {
    const late = AbortSignal.timeout(preparationMs);
    try {
      await mkdir(own, { mode: 0o700 });
      const { source, texts, files } = await prepare(own, AbortSignal.any([signal, late]));
      const written = await writeTexts(texts, own);
      return { source, files: { ...files, ...written.paths }, megabytes: written.megabytes };
    } catch (error) {
      throw late.aborted ? notMade(inSeconds(preparationMs)) : error;
    }
  };

  return {
    make: async function* (organizationId, prepare, signal) {
      const own = join(folder, randomUUID());
      try {
        const target = join(own, 'document.pdf');
        const endTurn = await begin(organizationId);
        try {
          signal.throwIfAborted();
          const { megabytes, ...job } = await prepareIn(own, prepare, signal);
          await layOut({ ...job, target }, megabytes, signal);
        } finally {
          endTurn();
        }
        yield* createReadStream(target);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
    stop: end,
  };
}

/** Writes texts to files in a folder, one after the other. Returns the paths by the names of the texts. */
async function writeTexts(texts: PdfDocument['texts'], folder: string) {
  const paths: Record<string, string> = {};
  let bytes = 0;
  for (const [index, [name, text]] of Object.entries(texts).entries()) {
    const path = join(folder, String(index));
    await writeFile(path, text, { mode: 0o600 });
    bytes += (await stat(path)).size;
    paths[name] = path;
  }
  return { paths, megabytes: bytes / 1e6 };
}

/** The process does not keep the service running, and ends with it. */
function start({ program, fonts }: PdfPackages, memoryMegabytes: number): ChildProcess {
  if (program === null) throw notInstalled();
  const child = fork(program, [String(memoryMegabytes), ...fonts], {
    execArgv: ['--max-old-space-size=256'],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // If a message is lost, the end of the process shows it.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

/** The outcome of a job. Without one: time or memory ran out, others killed the process, or the job ended it. */
async function perform(
  child: ChildProcess,
  job: PdfJob,
  stop: AbortSignal,
): Promise<PdfOutcome | 'stopped' | 'out of memory' | 'killed' | 'ended'> {
  if (stop.aborted) return 'stopped';
  if (hasEnded(child)) return 'killed';
  const over = new AbortController();
  const { signal } = over;
  try {
    child.ref();
    child.channel?.ref();
    const first = Promise.race([
      once(child, 'message', { signal }).then(([outcome]) => outcome as PdfOutcome),
      once(child, 'exit', { signal }).then(([, by]) => {
        if (by === 'SIGUSR2') return 'out of memory';
        return signalsOfOthers.has(by) ? 'killed' : 'ended';
      }),
      once(stop, 'abort', { signal }).then(() => 'stopped' as const),
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

function inSeconds(ms: number): string {
  return `within ${Math.round(ms / 1_000)} s`;
}

function notMade(why: string): ApiError {
  return new ApiError('pdf_failed', `The PDF could not be made ${why}; export CSV instead.`);
}

function notInstalled(): ApiError {
  return new ApiError('pdf_failed', `The service makes PDFs only with the package ${pdfPackage}; export CSV instead.`);
}
