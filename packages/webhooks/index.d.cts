// The declarations for CommonJS. Node since 20.19 requires an ES module, which TypeScript accepts only with `module` from `node20` on.
// oxlint-disable-next-line typescript/ban-ts-comment -- an expected error would be an error itself where there is none
// @ts-ignore
import webhooks = require('./dist/index.js');
export = webhooks;
