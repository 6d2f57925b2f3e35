/** The "bad ports" of the Fetch standard from 1024 on. */
const blockedByFetch = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/** SQL Server, Oracle, MySQL, PostgreSQL, Redis, Cassandra, Elasticsearch, MongoDB, memcached. */
const databases = [1433, 1434, 1521, 3306, 5432, 6379, 9042, 9200, 9300, 11_211, 27_017, 27_018, 27_019];

/** ZooKeeper, etcd, AMQP, Kafka, Docker, kubelet, remote desktop. */
const infrastructure = [2181, 2379, 2380, 5671, 5672, 9092, 2375, 2376, 10_250, 10_255, 3389];

const blocked: ReadonlySet<number> = new Set([...blockedByFetch, ...databases, ...infrastructure]);

/** Whether a web service is expected at a port: 80, 443, or one from 1024 on without another well-known service. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !blocked.has(port));
}
