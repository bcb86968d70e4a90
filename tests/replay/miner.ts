/** Sources of blocks and notarizations during the replay. */
import type { Control } from '../support/devnetControl.ts';
import type { Lab } from './lab.ts';

export interface Miner {
	/** Its name in the report. */
	name: string;
	/** Milliseconds between two rounds. */
	pause: number;
	/** Mines a block on each chain, and makes notarizations if possible. */
	round(): Promise<void>;
}

/** Devnet's control API does both. */
export function devnetMiner(control: Control, { source, destination }: Lab): Miner {
	return {
		name: 'the control API of devnet',
		// A round of notarizations needs many signatures, and the engine polls every two seconds.
		pause: 1_000,
		async round() {
			for (const { chain } of [source, destination]) await control.mine(chain);
			for (const { chain } of [source, destination]) await control.notarize(chain);
			for (const { chain } of [source, destination]) await control.mine(chain);
			await control.mine('KMD', 2);
		}
	};
}

/** Uses `generate` of regtest daemons; notarizations need separate notaries. */
export function regtestMiner({ daemons }: Lab): Miner {
	return {
		name: 'generate',
		// Komodo daemon 0.9.0 waits for the next second between two blocks.
		pause: 2_000,
		async round() {
			for (const { client } of daemons) await client.wire('generate', 1);
		}
	};
}

/** The user mines. */
export const NOBODY: Miner = { name: 'others', pause: 2_000, round: () => Promise.resolve() };
