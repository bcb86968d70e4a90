/** Where a self-import can work, and why it cannot where it cannot. */
import type { SelfImportNote, SelfImportObstacle } from '#lib/messages/selfImport.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { readEnvelope } from '../../chains/daemon/result.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import { NO_SUCH_METHOD } from '../../chains/daemon/unserved.ts';
import type { ImportMode } from '../../chains/health/importMode.ts';
import { relayVerdict } from '../../wallet/transactions/guards.ts';
import type { Wallet } from '../../wallet/transactions/wallet.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** What leaves the wallet for one self-import: the fee, and what the source pays to the recipient. */
export const SELF_IMPORT_COST = 20_000n;
/** Bytes of an import's payload with a source of one input: 238 seen for one kind of output, 274 for the other. */
const USUAL_PAYLOAD = 274;

/** The bare number -1: the chain has another import mode than PUBKEY. (Komodo daemon 0.9.0.) */
export const otherModeAnswered = (chain: string): SelfImportObstacle => ({
	code: 'other-mode-answered',
	params: { chain }
});

/** What the configuration alone says against it. */
export function configuredObstacle(chain: string, { mode }: ImportMode): SelfImportObstacle | null {
	return mode === null || mode === 'PUBKEY'
		? null
		: { code: 'other-mode', params: { chain, mode } };
}

/** What the wallet says against it. */
export function walletObstacle(
	wallet: Pick<Wallet, 'daemon' | 'chain' | 'pubkey' | 'balance'>,
	{ pubkey }: ImportMode
): SelfImportObstacle | null {
	const { daemon, chain, balance } = wallet;
	if (pubkey !== null && wallet.pubkey.toLowerCase() !== pubkey) {
		const facts = { daemon, chain, pubkey: wallet.pubkey, issuer: pubkey };
		return { code: 'other-wallet', params: facts };
	}
	if (balance !== null && balance < SELF_IMPORT_COST) {
		const needed = SELF_IMPORT_COST.toString();
		return {
			code: 'too-few-coins',
			params: { daemon, chain, balance: balance.toString(), needed }
		};
	}
	return null;
}

/** The daemon's own words where a chain has no import mode at all. */
const NOT_HERE = /only works on -?ac_import chains/i;
/** How long a page waits for the daemon. */
const TIMEOUT_MS = 750;

/**
 * Asks the daemon whether the chain has self-imports, without building anything: called without
 * parameters it looks at the chain before it counts them. (Komodo daemon 0.9.0.)
 * @throws {AppError} `daemon` when nobody answers
 */
export async function probe(
	gateway: Gateway,
	daemon: DaemonInfo
): Promise<SelfImportObstacle | null> {
	const answer = await gateway.proxy(daemon.id, 'selfimport', '[]', { timeout: TIMEOUT_MS });
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
		return refused ? otherModeAnswered(daemon.chain) : null;
	}
	if (NOT_HERE.test(envelope.message)) {
		return { code: 'no-imports', params: { chain: daemon.chain } };
	}
	if (envelope.code === NO_SUCH_METHOD) {
		return { code: 'method-unknown', params: { daemon: daemon.id } };
	}
	return null;
}

/** What a person should know before, although it does not stand in the way. */
export function notesFor(wallet: Wallet, { mode, pubkey }: ImportMode): SelfImportNote[] {
	const notes: SelfImportNote[] = [];
	if (mode === null || pubkey === null) {
		const setting = mode === null ? 'ac_import' : 'ac_pubkey';
		notes.push({ code: 'not-configured', params: { setting, chain: wallet.chain } });
	}
	const { level } = relayVerdict(USUAL_PAYLOAD, wallet.chain === 'KMD', wallet.dataCarrierSize);
	if (level !== 'ok') notes.push({ code: 'relay-unknown', params: { bytes: USUAL_PAYLOAD } });
	return notes;
}
