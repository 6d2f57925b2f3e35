import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a verifier is asked about. */
export interface SignedBody {
  readonly secret: string;
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly body: string;
}

/**
 * A language of the guide: a program around its function that exits with 0 for an authentic delivery, and with 9 for
 * any other.
 */
interface Language {
  /** The language of the code block, and the extension of the file. */
  readonly block: string;
  readonly file: string;
  /** A command that succeeds if the language is installed. */
  readonly installed: readonly string[];
  /**
   * What calls the function. It has the secret, the timestamp and the signatures as arguments, and the body on standard
   * input.
   */
  readonly main: string;
  readonly build?: readonly string[];
  readonly run: readonly string[];
}

const guide = readFileSync(new URL('../../../../docs/guides/verify-webhooks.md', import.meta.url), 'utf8');

/** The languages of the guide, by the heading of their section. */
export const languages: Readonly<Record<string, Language>> = {
  Python: {
    block: 'python',
    file: 'verify.py',
    installed: ['python3', '--version'],
    main: 'import sys\nsys.exit(0 if verify(sys.argv[1], sys.argv[2], sys.argv[3:], sys.stdin.buffer.read()) else 9)',
    run: ['python3', 'verify.py'],
  },
  Go: {
    block: 'go',
    file: 'verify.go',
    installed: ['go', 'version'],
    main: `import ("io"; "os")
func main() {
	body, _ := io.ReadAll(os.Stdin)
	if !Verify(os.Args[1], os.Args[2], os.Args[3:], body) { os.Exit(9) }
}`,
    build: ['go', 'build', '-o', 'verify', 'verify.go'],
    run: ['./verify'],
  },
  Ruby: {
    block: 'ruby',
    file: 'verify.rb',
    installed: ['ruby', '--version'],
    main: 'exit(Runward.verify(ARGV[0], ARGV[1], ARGV[2..], $stdin.binmode.read) ? 0 : 9)',
    run: ['ruby', 'verify.rb'],
  },
  PHP: {
    block: 'php',
    file: 'verify.php',
    installed: ['php', '--version'],
    main: "exit(runward_verify($argv[1], $argv[2], array_slice($argv, 3), file_get_contents('php://stdin')) ? 0 : 9);",
    run: ['php', 'verify.php'],
  },
  Java: {
    block: 'java',
    file: 'Main.java',
    installed: ['javac', '--version'],
    main: `final class Main {
  public static void main(String[] args) throws Exception {
    byte[] body = System.in.readAllBytes();
    if (!Runward.verify(args[0], args[1], List.of(args).subList(2, args.length), body)) System.exit(9);
  }
}`,
    build: ['javac', 'Main.java'],
    run: ['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', '.', 'Main'],
  },
  'C#': {
    block: 'csharp',
    file: 'Program.cs',
    installed: ['dotnet', '--version'],
    main: '',
    build: ['dotnet', 'build', '--disable-build-servers', '--output', 'out'],
    run: ['dotnet', 'out/verify.dll'],
  },
  bash: {
    block: 'bash',
    file: 'verify.sh',
    installed: ['openssl', 'version'],
    main: 'runward_verify "$@" || exit 9',
    run: ['bash', 'verify.sh'],
  },
};

/**
 * C# has its program before its types, and a project: for the installed version, built without packages of a registry.
 */
const csharp = {
  main: `using var input = Console.OpenStandardInput();
using var buffer = new MemoryStream();
input.CopyTo(buffer);
return Runward.Verify(args[0], args[1], args[2..], buffer.ToArray()) ? 0 : 9;
`,
  project: `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework><ImplicitUsings>enable</ImplicitUsings>
<UseAppHost>false</UseAppHost><RestoreSources>.</RestoreSources></PropertyGroup></Project>`,
};

/** Whether a language is installed. */
export function isInstalled({ installed: [command = '', ...args] }: Language): boolean {
  return spawnSync(command, args).status === 0;
}

/** Builds the program of a language from the code of the guide. */
export async function buildVerifier({ block, file, main, build, run: [command = '', ...args] }: Language) {
  const [, code] = new RegExp(`^\`\`\`${block}\\n([^]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no code in ${block}.`);
  const folder = mkdtempSync(join(tmpdir(), 'runward-verifier-'));
  writeFileSync(join(folder, file), programOf(block, code, main));
  if (block === 'csharp') writeFileSync(join(folder, 'verify.csproj'), csharp.project);
  if (build) {
    const { status, problem } = await run(build[0] ?? '', build.slice(1), { cwd: folder });
    if (status !== 0) throw new Error(problem);
  }
  return {
    async accepts({ secret, timestamp, signatures, body }: SignedBody): Promise<boolean> {
      const options = { cwd: folder, input: body };
      const { status, problem } = await run(command, [...args, secret, timestamp, ...signatures], options);
      if (status !== 0 && status !== 9) throw new Error(problem);
      return status === 0;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Runs a program to its end. Its status is not a number if it could not be started. */
async function run(
  command: string,
  args: readonly string[],
  { cwd, input = '' }: { cwd?: string; input?: string } = {},
) {
  return new Promise<{ status: unknown; problem: string }>((resolve) => {
    const child = execFile(command, args, { cwd }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, problem: `${error?.message ?? ''}${stdout}${stderr}` });
    });
    // A program that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function programOf(block: string, code: string, main: string): string {
  // Go has its imports first, and its program in the package main.
  if (block === 'go') {
    const [imports = '', ...rest] = main.split('\nfunc ');
    return `${code.replace('package runward\n', `package main\n${imports}\n`)}\nfunc ${rest.join('\nfunc ')}`;
  }
  if (block === 'csharp') {
    const usings = code.slice(0, code.indexOf('public '));
    return `${usings}\n${csharp.main}\n${code.slice(usings.length)}`;
  }
  return `${code}\n${main}\n`;
}
