const required = { major: 24, minor: 16 };

/**
 * Whether this Node can run the server. If not, prints the required version and sets the exit code to 1. Old versions
 * of Node must be able to read this file, so everything newer is imported afterwards.
 */
export function hasRequiredNode(command: string): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > required.major || (major === required.major && minor >= required.minor)) return true;
  console.error(
    `${command} needs Node ${required.major}.${required.minor} or newer, and this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exitCode = 1;
  return false;
}
