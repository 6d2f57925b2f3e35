// The public API: a server for one API key. The command serves it over stdio, and the service over HTTP.
export { parseGroups } from './groups.ts';
export { respondTo, type RequestOptions } from './http.ts';
export { createMcpServer, type ServerOptions } from './server.ts';
