/** Where a self-import can work, and why it cannot where it cannot. */
import { formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { readEnvelope } from '../../chains/daemon/result.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { ImportMode } from '../../chains/health/importMode.ts';
import { relayVerdict } from '../../wallet/transactions/guards.ts';
import type { Wallet } from '../../wallet/transactions/wallet.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** What leaves the wallet for one self-import: the fee, and what the source pays to the recipient. */
export const SELF_IMPORT_COST = 20_000n;
/** Bytes of an import's payload with a source of one input: 238 seen for one kind of output, 274 for the other. */
const USUAL_PAYLOAD = 274;

/** Why a self-import cannot work here, in two sentences. */
export interface Obstacle {
	reason: string;
	/** What to do about it; null when nothing can be done. */
	mend: string | null;
}

const OTHER_MODE = (chain: string, mode: string): Obstacle => ({
	reason: `${chain} was started with ac_import=${mode}.`,
	mend: 'Coins can be created like this only on a chain that was started with ac_import=PUBKEY. That is a parameter of the whole chain: it cannot be changed later.'
});

export const NO_IMPORTS = (chain: string): Obstacle => ({
	reason: `${chain} was not started with ac_import, so nobody can create coins on it by a self-import.`,
	mend: 'That is a parameter of the whole chain: it cannot be changed later.'
});

/** The bare number -1: the chain has another import mode than PUBKEY. (Komodo daemon 0.9.0.) */
export const MINUS_ONE = (chain: string): Obstacle => ({
	reason: `The daemon of ${chain} answered with the bare number -1: the chain was started with another ac_import than PUBKEY.`,
	mend: 'Coins can be created like this only on a chain with ac_import=PUBKEY.'
});

/** What the configuration alone says against it. */
export function configuredObstacle(chain: string, { mode }: ImportMode): Obstacle | null {
	return mode === null || mode === 'PUBKEY' ? null : OTHER_MODE(chain, mode);
}

/** What the wallet says against it. */
export function walletObstacle(
	wallet: Pick<Wallet, 'daemon' | 'chain' | 'pubkey' | 'balance'>,
	{ pubkey }: ImportMode
): Obstacle | null {
	const { daemon, chain, balance } = wallet;
	if (pubkey !== null && wallet.pubkey.toLowerCase() !== pubkey) {
		return {
			reason: `The wallet of ${daemon} is not the one that may create coins on ${chain}: its key is ${wallet.pubkey}, and the chain's ac_pubkey is ${pubkey}.`,
			mend: 'Configure the daemon that runs with the key of ac_pubkey as the wallet of this chain.'
		};
	}
	if (balance !== null && balance < SELF_IMPORT_COST) {
		return {
			reason: `The wallet of ${daemon} has ${formatCoins(balance)} coins, and ${formatCoins(SELF_IMPORT_COST)} are needed.`,
			mend: `Send it some coins of ${chain} first.`
		};
	}
	return null;
}

/** The daemon's own words where a chain has no import mode at all. */
const NOT_HERE = /only works on -?ac_import chains/i;
const METHOD_NOT_FOUND = -32601;
/** How long a page waits for the daemon. */
const PATIENCE_MS = 750;

/**
 * Asks the daemon whether the chain has self-imports, without building anything: called without
 * parameters it looks at the chain before it counts them. (Komodo daemon 0.9.0.)
 * @throws {AppError} `daemon` when nobody answers
 */
export async function probe(gateway: Gateway, daemon: DaemonInfo): Promise<Obstacle | null> {
	const answer = await gateway.proxy(daemon.id, 'selfimport', '[]', { timeout: PATIENCE_MS });
	let envelope;
	try {
		envelope = readEnvelope(answer);
	} catch (error) {
		// Whatever it is, it says nothing against it; the builder's answer is read strictly.
		if (isAppError(error, 'answer.no-envelope')) return null;
		throw error;
	}
	if (envelope.kind !== 'error') {
		const { result } = envelope;
		const refused = result instanceof JsonNumber && result.source === '-1';
		return refused ? MINUS_ONE(daemon.chain) : null;
	}
	if (NOT_HERE.test(envelope.message)) return NO_IMPORTS(daemon.chain);
	if (envelope.code === METHOD_NOT_FOUND) {
		return { reason: `The daemon ${daemon.id} does not know selfimport.`, mend: null };
	}
	return null;
}

/** What a person should know before, although it does not stand in the way. */
export function notesFor(wallet: Wallet, { mode, pubkey }: ImportMode): string[] {
	const notes: string[] = [];
	if (mode === null || pubkey === null) {
		notes.push(
			`${mode === null ? 'ac_import' : 'ac_pubkey'} of ${wallet.chain} is not configured, and no method tells it. The daemon decides whether this wallet may create coins.`
		);
	}
	const { sentence } = relayVerdict(USUAL_PAYLOAD, wallet.chain === 'KMD', wallet.dataCarrierSize);
	if (sentence !== null) {
		notes.push(
			`An import has a payload of about ${USUAL_PAYLOAD} bytes. Daemons that were not started with datacarriersize=10001 do not relay it: it could be refused after its source is paid for.`
		);
	}
	return notes;
}
