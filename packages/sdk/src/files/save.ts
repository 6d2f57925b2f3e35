import { isRunwardError } from '../errors/error-guards.ts';
import { RunwardError } from '../errors/errors.ts';
import { safeName } from '../file-name.ts';
import type { FilesMethods } from '../generated/files.ts';
import type { Settings } from '../settings.ts';
import { openDownload } from './download.ts';
import { nodeModule } from './node-module.ts';
import type { FileTransfers } from './options.ts';

/** Errors of a file system that cannot link files. */
const notLinked: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Creates `files.save`. */
export function createSave(settings: Settings, files: FilesMethods): FileTransfers['save'] {
  return async (fileId, given, { overwrite = false, onProgress, ...transfer } = {}) => {
    const { toPath, reserve } = await openDisk();
    const target = await files.downloadUrl(fileId, transfer);
    const path = await toPath(given, safeName(target.fileName) ?? 'file', overwrite);
    const draft = await reserve(path);
    try {
      const { body, contentType, size, sha256 } = await openDownload(settings, target, { ...transfer, onProgress });
      await body.pipeTo(new WritableStream({ write: (part) => draft.write(part) }));
      await draft.finish(overwrite);
      return { path, contentType, size, sha256 };
    } finally {
      await draft.discard();
    }
  };
}

async function openDisk() {
  const what = 'Saving a file';
  const [{ link, lstat, mkdir, open, realpath, rename, rm, stat }, { dirname, join, resolve, sep }, { fileURLToPath }] =
    await Promise.all([nodeModule('fs/promises', what), nodeModule('path', what), nodeModule('url', what)]);

  /**
   * The path to save a file at. A folder exists, or ends in a separator. Throws if a file exists there, unless it may
   * be overwritten.
   */
  async function toPath(given: string | URL, fileName: string, overwrite: boolean): Promise<string> {
    const text = given instanceof URL ? fileURLToPath(given) : given;
    const stated = resolve(text);
    const isKnownFolder = await stat(stated).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const isFolder = isKnownFolder || text.endsWith('/') || text.endsWith(sep);
    const path = isFolder ? join(stated, fileName) : stated;
    const existing = await stat(path).catch(() => null);
    if (existing && !overwrite) throw exists(path);
    if (existing && !existing.isFile()) throw new RunwardError(`${path} is not a file; choose another path.`);
    // For a symbolic link, the file behind it is replaced, not the link.
    return existing ? realpath(path) : path;
  }

  /** A draft beside a path, whose folder is created if it does not exist. */
  async function reserve(path: string) {
    // Not derived from the file name, which may already have the maximum length.
    const draft = join(dirname(path), `.runward-${crypto.randomUUID()}.part`);
    const failed = (cause: Error) => {
      throw new RunwardError(`${path} cannot be written: ${cause.message}.`, { cause });
    };
    await mkdir(dirname(path), { recursive: true }).catch(failed);
    const file = await open(draft, 'wx', 0o666).catch(failed);
    return {
      write: (part: Uint8Array) => file.writeFile(part).catch(failed),
      async finish(overwrite: boolean): Promise<void> {
        await file.sync().catch(failed);
        await file.close().catch(failed);
        await (overwrite ? rename(draft, path) : renameToNew(draft, path)).catch((error: unknown) => {
          throw isRunwardError(error) ? error : failed(error as Error);
        });
      },
      /** Removes the draft, if it is not finished. */
      async discard(): Promise<void> {
        await file.close().catch(() => {});
        await rm(draft, { force: true });
      },
    };
  }

  /** Renames a draft to its final name. Fails if that name exists by now. */
  async function renameToNew(draft: string, path: string): Promise<void> {
    try {
      await link(draft, path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EEXIST') throw exists(path);
      if (!notLinked.has(code)) throw error;
      if (await lstat(path).catch(() => null)) throw exists(path);
      await rename(draft, path);
    }
  }

  return { toPath, reserve };
}

function exists(path: string): RunwardError {
  // Keeps the code of the file system, so that programs can tell this error from others.
  const cause = Object.assign(new Error('EEXIST: file already exists'), { code: 'EEXIST' });
  return new RunwardError(`${path} exists already. Choose another path, or pass \`overwrite: true\`.`, { cause });
}
