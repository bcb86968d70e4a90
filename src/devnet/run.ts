/** Runs a network with its control API. */
import { ControlServer } from './control/server.ts';
import { makeHistory } from './history.ts';
import { Network } from './network.ts';
import type { Options } from './options.ts';

export interface RunningNetwork {
	/** Names and URLs of its servers. */
	addresses: readonly (readonly [what: string, url: string])[];
	/** Stops the network; its folder remains. */
	close(): Promise<void>;
}

/** Opens the network of a folder, or creates a new one there, and serves it until closed. */
export async function runNetwork(options: Options): Promise<RunningNetwork> {
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
