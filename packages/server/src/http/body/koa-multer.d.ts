declare module '@koa/multer' {
  import type { Middleware } from 'koa';
  import type { Field, Options } from 'multer';

  interface KoaMulter {
    fields(fields: readonly Field[]): Middleware;
  }

  const multer: (options?: Options) => KoaMulter;
  // oxlint-disable-next-line import/no-default-export -- The package has no other export.
  export default multer;
}
