/** Who makes blocks and notarizations while the replay waits. */
import type { Control } from '../support/devnet.ts';
import type { Lab } from './lab.ts';

export interface Miner {
	/** How it is called in the report. */
	name: string;
	/** Milliseconds between two rounds. */
	pause: number;
	/** Makes a block on each chain, and notarizations where it can. */
	round(): Promise<void>;
}

/** Devnet's control API does both. */
export function devnetMiner(control: Control, { source, destination }: Lab): Miner {
	return {
		name: 'the control API of devnet',
		// A round of notarizations is many signatures, and the engine looks every two seconds.
		pause: 1_000,
		async round() {
			for (const { chain } of [source, destination]) await control.mine(chain);
			for (const { chain } of [source, destination]) await control.notarize(chain);
			for (const { chain } of [source, destination]) await control.mine(chain);
			await control.mine('KMD', 2);
		}
	};
}

/** `generate` of regtest daemons; notarizations are made by notaries, if there are any. */
export function regtestMiner({ daemons }: Lab): Miner {
	return {
		name: 'generate',
		// Komodo daemon 0.9.0 waits until the next second between two blocks.
		pause: 2_000,
		async round() {
			for (const { client } of daemons) await client.wire('generate', 1);
		}
	};
}

/** Somebody else mines. */
export const NOBODY: Miner = { name: 'others', pause: 2_000, round: () => Promise.resolve() };
