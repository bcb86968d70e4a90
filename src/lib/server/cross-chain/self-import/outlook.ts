/** Determines where a self-import is possible, and why it is not elsewhere. */
import { isMainChain } from '#lib/chain/mainChain.ts';
import type { SelfImportNote, SelfImportObstacle } from '#lib/messages/selfImport.ts';
import { RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { readEnvelope } from '../../chains/upstream/result.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { ImportMode } from '../../chains/health/importMode.ts';
import { relayVerdict } from '../../wallet/transactions/guards.ts';
import type { Wallet } from '../../wallet/transactions/wallet.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Satoshi that one self-import costs the wallet: the fee, and the source's payment to the recipient. */
export const SELF_IMPORT_COST = 20_000n;
/** Bytes of an import's payload for a source with one input: 238 seen for one kind of output, 274 for the other. */
const USUAL_PAYLOAD = 274;

/** The daemon answered the bare number -1: the chain has another import mode than PUBKEY. (Komodo daemon 0.9.0.) */
export const otherModeAnswered = (chain: string): SelfImportObstacle => ({
	code: 'other-mode-answered',
	params: { chain }
});

/** Returns the obstacle in the configuration; null for none. */
export function configuredObstacle(chain: string, { mode }: ImportMode): SelfImportObstacle | null {
	return mode === null || mode === 'PUBKEY'
		? null
		: { code: 'other-mode', params: { chain, mode } };
}

/** Returns the obstacle in the wallet; null for none. */
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

/** Milliseconds that a page waits for the daemon. */
const TIMEOUT_MS = 750;

/**
 * Asks the daemon whether the chain has self-imports, without building anything: without parameters it checks the
 * chain before it counts them. (Komodo daemon 0.9.0.)
 * @throws {AppError} `daemon` when the daemon does not answer
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
		// An unreadable answer does not rule out self-imports; the answer to building is read strictly.
		if (isAppError(error, 'answer.no-envelope')) return null;
		throw error;
	}
	if (envelope.kind !== 'error') {
		const { result } = envelope;
		const refused = result instanceof JsonNumber && result.source === '-1';
		return refused ? otherModeAnswered(daemon.chain) : null;
	}
	if (recognizeError('selfimport', envelope.message)?.code === 'migration.no-self-import') {
		return { code: 'no-imports', params: { chain: daemon.chain } };
	}
	if (envelope.code === RPC_METHOD_NOT_FOUND) {
		return { code: 'method-unknown', params: { daemon: daemon.id } };
	}
	return null;
}

/** Returns notes that the user should know, but that do not prevent a self-import. */
export function notesFor(wallet: Wallet, { mode, pubkey }: ImportMode): SelfImportNote[] {
	const notes: SelfImportNote[] = [];
	if (mode === null || pubkey === null) {
		const setting = mode === null ? 'ac_import' : 'ac_pubkey';
		notes.push({ code: 'not-configured', params: { setting, chain: wallet.chain } });
	}
	const { level } = relayVerdict(USUAL_PAYLOAD, isMainChain(wallet.chain), wallet.dataCarrierSize);
	if (level !== 'ok') notes.push({ code: 'relay-unknown', params: { bytes: USUAL_PAYLOAD } });
	return notes;
}
