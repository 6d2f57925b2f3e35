import type { Redirect } from '../page.ts';
import type { ConsoleRequest } from './console-page.ts';

/** Leads to the content of a file. */
export async function downloadFile({ api, params }: ConsoleRequest): Promise<Redirect> {
  const { url } = await api.files.downloadUrl(params['fileId'] ?? '');
  return { redirectTo: url };
}
