/**
 * Runs the command line within the test's own process: a process per command would take most of a test's time.
 */
import { setImmediate } from 'node:timers/promises';
import { runCommand } from '../../src/cli/run.ts';

interface Said {
	code: number;
	out: string;
	err: string;
}

/** Location of the installation that commands use. */
interface Place {
	dataDir: string;
	url?: string | undefined;
}

/** Runs one command as `npm run komodeck --` does, with one line of standard input. */
export async function command(
	{ dataDir, url }: Place,
	args: readonly string[],
	{ input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<Said> {
	const said = { out: '', err: '' };
	const code = await runCommand(args, {
		env: { ...process.env, KOMODECK_DATA: dataDir, DATABASE_URL: url ?? '', ...env },
		out: (line) => void (said.out += `${line}\n`),
		err: (line) => void (said.err += `${line}\n`),
		readLine: () => Promise.resolve(input.split('\n', 1)[0] ?? '')
	});
	// Loading a command's modules blocks the event loop. Closed connections are noticed in the first turn and
	// removed in the second, so that the next request is not sent on one of them.
	await setImmediate();
	await setImmediate();
	return { code, ...said };
}
