/**
 * The baseline for files: a bare `node:http` pipe to and from one file in the working folder, on the port in `PORT`.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const file = 'pipe.bin';

const server = createServer((request, response) => {
  if (request.url === '/ready') return void response.writeHead(204).end();
  const work =
    request.method === 'PUT'
      ? pipeline(request, createWriteStream(file)).then(() => response.writeHead(204).end())
      : pipeline(createReadStream(file), response);
  work.catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
