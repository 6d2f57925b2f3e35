// The public API: a server for one key, which the command serves over stdio and the service over HTTP.
export { createMcpServer, type ServerOptions } from './server.ts';
export { parseGroups } from './groups.ts';
