import { fstatSync } from 'node:fs';
import { ControlServer } from './control/server.ts';
import { makeHistory } from './history.ts';
import { Network } from './network.ts';
import { OptionsError, readOptions } from './options.ts';
import type { Options } from './options.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** True when standard input is a pipe: the parent that holds its other end can end us by dying. */
const stdinIsPipe = (): boolean => {
	try {
		const stat = fstatSync(0);
		return stat.isFIFO() || stat.isSocket();
	} catch {
		return false;
	}
};

/** npm puts a shell between itself and us that passes no signal on: when it is gone, so are we. */
const endWithParent = (end: () => void): void => {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) end();
	}, 500).unref();
};

async function run(options: Options): Promise<void> {
	// Passwords stand in its files, as in those of the daemons.
	process.umask(0o077);
	const past = (fresh: Network): void =>
		makeHistory(fresh, options.young ? 'young' : options.bare ? 'bare' : 'full');
	let network = Network.open(options, past);
	const serve = async (): Promise<void> => {
		await network.listen(control.url);
		network.setAutomatic(!options.manual);
	};
	const control = new ControlServer(network, async () => {
		await network.close();
		network = Network.renew(options, past);
		await serve();
		return network;
	});
	await control.open();
	await serve();
	for (const daemon of network.daemons.values()) {
		say(`${daemon.id.padEnd(16)} http://127.0.0.1:${daemon.access.port}/`);
	}
	say(`${'trading node'.padEnd(16)} http://127.0.0.1:${network.trading.node.access.port}`);
	say(`${'control'.padEnd(16)} ${control.url}`);
	say(`The development network answers; its addresses are in ${options.dir}/devnet.json.`);

	let ending = false;
	const end = (): void => {
		if (ending) return;
		ending = true;
		Promise.all([network.close(), control.close()]).then(
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
