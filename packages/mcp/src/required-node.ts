const required = { major: 22, minor: 12 };

/**
 * Whether this version of Node can run the command. If not, prints the required version and sets the exit code to 1.
 * Old versions of Node must be able to parse this file, so all newer code is imported afterwards.
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
