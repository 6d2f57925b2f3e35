import type { Logger } from 'pino';
import { loadIfInstalled, MissingPackageError } from '../installation/optional-package.ts';
import type { TracingSettings } from '../settings/tracing.ts';

/**
 * Starts tracing, and adds its end to a stack, whose disposal exports the last spans. Throws an error that says what to
 * do if the SDK is not installed.
 */
export async function startTracing(
  settings: TracingSettings,
  log: Pick<Logger, 'warn'>,
  started: AsyncDisposableStack,
): Promise<void> {
  const { startSdk } = await loadSdk(settings);
  started.defer(startSdk(settings, log));
}

/** Loads what needs the SDK, which is a separate package. Throws an error that names the package if it is missing. */
export async function loadSdk({ setting }: Pick<TracingSettings, 'setting'>) {
  const name = '@runward/opentelemetry';
  const loaded = await loadIfInstalled(name, () => import('./tracing-sdk.ts'));
  if (loaded !== null) return loaded;
  throw new MissingPackageError(name, {
    setting,
    need: 'the export of traces',
    instead: 'remove the setting to export no traces',
  });
}
