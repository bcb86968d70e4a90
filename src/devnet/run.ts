/** Runs a network with its control API. */
import { ControlServer } from './control/server.ts';
import { makeHistory } from './history.ts';
import { holdFolder } from './holdFolder.ts';
import { Network } from './network.ts';
import type { Options } from './options.ts';
import { freeBasePort, isPortTaken } from './ports.ts';
import { basePortOf, readRecord } from './store.ts';

export interface RunningNetwork {
	/** Names and URLs of its servers. */
	addresses: readonly (readonly [what: string, url: string])[];
	/** Stops the network; its folder remains. */
	close(): Promise<void>;
}

/** Opens the network of a folder, or creates a new one there, and serves it on the ports from a base port. */
async function runAt(options: Options, basePort: number): Promise<RunningNetwork> {
	const past = (fresh: Network): void =>
		makeHistory(fresh, options.young ? 'young' : options.bare ? 'bare' : 'full');
	const place = { ...options, basePort };
	let network = Network.open(place, past);
	const serve = async (): Promise<void> => {
		await network.listen(control.url);
		network.setAutomatic(!options.manual);
	};
	const control = new ControlServer(network, async () => {
		await network.close();
		network = Network.renew(place, past);
		await serve();
		return network;
	});
	const close = async (): Promise<void> => {
		await Promise.all([network.close(), control.close()]);
	};
	try {
		await control.open();
		await serve();
	} catch (cause) {
		await close();
		throw cause;
	}
	return {
		addresses: [
			...[...network.daemons.values()].map(
				({ id, access }) => [id, `http://127.0.0.1:${access.port}/`] as const
			),
			['trading node', `http://127.0.0.1:${network.trading.node.access.port}`],
			['control', control.url]
		],
		close
	};
}

/** Runs the network on its former ports, or on free ones; again on others when another process takes one first. */
async function runOnFreePorts(options: Options): Promise<RunningNetwork> {
	for (;;) {
		const former = readRecord(options.dir);
		const basePort = await freeBasePort(former === null ? undefined : basePortOf(former));
		try {
			return await runAt(options, basePort);
		} catch (cause) {
			if (!isPortTaken(cause)) throw cause;
		}
	}
}

/** Runs the network of a folder until closed. @throws {DataFolderError} when the folder cannot be used */
export async function runNetwork(options: Options): Promise<RunningNetwork> {
	const { dir, basePort } = options;
	const release = holdFolder(dir);
	try {
		const network = await (basePort === undefined
			? runOnFreePorts(options)
			: runAt(options, basePort));
		return {
			addresses: network.addresses,
			close: () => network.close().finally(release)
		};
	} catch (cause) {
		release();
		throw cause;
	}
}
