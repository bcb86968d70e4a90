/**
 * Runs the networks of one test worker, one after another or in parallel: loading the code for each of them
 * took as long as most tests themselves. It ends with its parent.
 */
import { readOptions } from '../../src/devnet/options.ts';
import { runNetwork, type RunningNetwork } from '../../src/devnet/run.ts';

/** Starts a network with command line arguments, or stops the one with this number. */
export type HostOrder = { n: number } & ({ start: readonly string[] } | { stop: number });

/** Result of an order, with the error if it failed. */
export interface HostReport {
	n: number;
	error?: string;
}

const networks = new Map<number, RunningNetwork>();

async function carryOut(order: HostOrder): Promise<void> {
	if ('start' in order) {
		networks.set(order.n, await runNetwork(readOptions(order.start)));
		return;
	}
	const network = networks.get(order.stop);
	networks.delete(order.stop);
	await network?.close();
}

process.umask(0o077);
process.on('message', (order: HostOrder) => {
	const report = (more: Omit<HostReport, 'n'>): void =>
		void process.send?.({ n: order.n, ...more } satisfies HostReport);
	carryOut(order).then(
		() => report({}),
		(cause: unknown) => report({ error: cause instanceof Error ? cause.message : String(cause) })
	);
});
process.once('disconnect', () => process.exit(0));
