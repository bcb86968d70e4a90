/** The three daemons, their reported identities, and the decision based on them. */
import type { Control } from '../support/devnetControl.ts';
import type { Arguments } from './arguments.ts';
import { readConfiguration } from './configuration.ts';
import { DaemonClient } from './daemonClient.ts';
import { devnetControlOf } from './devnetControl.ts';
import { judgeNetwork } from './network.ts';

export interface LabDaemon {
	chain: string;
	client: DaemonClient;
	ccid: number;
	/** The wallet's public key, which tokens and migrations need. */
	pubkey: string;
}

export interface Lab {
	kmd: LabDaemon;
	source: LabDaemon;
	destination: LabDaemon;
	daemons: readonly LabDaemon[];
	kind: 'regtest' | 'devnet';
	/** Of devnet. */
	control: Control | null;
}

/** The daemons cannot be used; nothing was sent. The message is for the user. */
export class LabError extends Error {
	override readonly name = 'LabError';
	readonly code = 'lab';
}

const MAIN_CHAIN = 'KMD';

/**
 * Asks each daemon for its identity, and decides.
 * @throws {LabError} before anything is sent
 */
export async function openLab({ files }: Pick<Arguments, 'files'>): Promise<Lab> {
	const found = await Promise.all(
		files.map(async (file) => {
			const client = new DaemonClient(readConfiguration(file));
			const identity = await client.identify();
			return { client, identity, control: await devnetControlOf(client, identity.name) };
		})
	);
	const verdict = judgeNetwork(
		found.map(({ identity, control }) => ({ ...identity, isDevnet: control !== null }))
	);
	if (verdict.kind === 'refused') throw new LabError(verdict.sentence);
	const daemons = found.map(({ client, identity }): LabDaemon => {
		const { name: chain, pubkey, ccid } = identity;
		if (pubkey === null) {
			throw new LabError(
				`The daemon of ${chain} runs without -pubkey. Start it with a key of its wallet.`
			);
		}
		return { chain, client, ccid, pubkey };
	});
	const kmd = daemons.find(({ chain }) => chain === MAIN_CHAIN);
	const [source, destination, ...more] = daemons.filter(({ chain }) => chain !== MAIN_CHAIN);
	if (!kmd || !source || !destination || more.length > 0) {
		throw new LabError('Name one daemon of KMD and one daemon of each of two other chains.');
	}
	if (source.chain === destination.chain) {
		throw new LabError(`Two daemons run ${source.chain}. Name two chains.`);
	}
	if (source.ccid === 0 || source.ccid !== destination.ccid) {
		throw new LabError(
			`${source.chain} has the CCid ${source.ccid} and ${destination.chain} has ${destination.ccid}. Start both chains with the same -ac_cc.`
		);
	}
	return {
		kmd,
		source,
		destination,
		daemons,
		kind: verdict.kind,
		control: found[0]?.control ?? null
	};
}
