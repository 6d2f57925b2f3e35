const required = { major: 22, minor: 12 };

/**
 * Whether this Node can run the command; if not, prints which one is needed, and the process will exit with 1. This file must stay
 * readable for old versions of Node: everything newer is imported afterwards.
 */
export function hasRequiredNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > required.major || (major === required.major && minor >= required.minor)) return true;
  console.error(
    `runward-mcp needs Node ${required.major}.${required.minor} or newer, and this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exitCode = 1;
  return false;
}
