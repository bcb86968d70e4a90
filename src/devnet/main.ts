import { fstatSync } from 'node:fs';
import { OptionsError, readOptions, type Options } from './options.ts';
import { runNetwork } from './run.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * True when standard input is a pipe: then the end of the parent process, which holds the other end, ends
 * this one.
 */
const stdinIsPipe = (): boolean => {
	try {
		const stat = fstatSync(0);
		return stat.isFIFO() || stat.isSocket();
	} catch {
		return false;
	}
};

/** Exits when the parent process is gone: npm starts a shell in between that does not forward signals. */
const endWithParent = (end: () => void): void => {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) end();
	}, 500).unref();
};

async function run(options: Options): Promise<void> {
	// Its files contain passwords, like those of the daemons.
	process.umask(0o077);
	const network = await runNetwork(options);
	for (const [what, url] of network.addresses) say(`${what.padEnd(16)} ${url}`);
	say(`The development network answers; its addresses are in ${options.dir}/devnet.json.`);

	let ending = false;
	const end = (): void => {
		if (ending) return;
		ending = true;
		network.close().then(
			() => process.exit(0),
			(cause: unknown) => {
				process.stderr.write(`${String(cause)}\n`);
				process.exit(1);
			}
		);
	};
	process.once('SIGTERM', end);
	process.once('SIGINT', end);
	if (process.env.npm_lifecycle_event !== undefined) endWithParent(end);
	if (stdinIsPipe()) {
		process.stdin.once('end', end);
		process.stdin.once('close', end);
		process.stdin.resume();
	}
}

try {
	await run(readOptions(process.argv.slice(2)));
} catch (cause) {
	const message = cause instanceof Error ? cause.message : String(cause);
	process.stderr.write(cause instanceof OptionsError ? `${message}\n` : `devnet: ${message}\n`);
	process.exit(cause instanceof OptionsError ? 2 : 1);
}
