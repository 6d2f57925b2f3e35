import type { Contract } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { found } from '../api-error.ts';

/** Files. */
export const files: Handlers<Contract['files']> = {
  transfer: async ({ params, now, ports }) => {
    const { file, fileName, contentType, expiresAt } = found(await ports.files.readSigned(params.token, now), 'File');
    const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
    return {
      contentType,
      fileName,
      size: file.size,
      content: () => file.open(),
      // The URL is the permission, so pages of other sites may show the file and browsers may keep it.
      headers: { 'cache-control': `private, max-age=${seconds}`, 'cross-origin-resource-policy': 'cross-origin' },
    };
  },
};
