/** Connects to the Redis of `REDIS_URL`. */
export async function checkRedis(url: string): Promise<string> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // The event has the reason; the rejected call only says that the connection is closed.
  redis.on('error', reject);
  try {
    await Promise.race([failed, redis.connect().then(() => redis.ping())]);
  } finally {
    redis.disconnect();
  }
  return 'Redis responds';
}

/** Connects to the MongoDB of `JOBS_URL`. */
export async function checkMongo(url: string): Promise<string> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 4_000, connectTimeoutMS: 4_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.db().command({ ping: 1 });
  } finally {
    await client.close();
  }
  return 'MongoDB responds';
}
