/**
 * Checks a burn before a notary operator approves it: the daemon's own check, and our own of the bytes. An approval
 * certifies that the burn happened, so nothing is trusted.
 */
import { valueOf } from '#lib/chain/amount.ts';
import { proveBlock } from '#lib/chain/approval.ts';
import { IMPORT_FEE, parseBurn, parsePayouts, payoutsHash } from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { readOrNull } from '#lib/chain/chainError.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import { wholeOf } from '#lib/rpc/tolerant.ts';
import { hashOfHeader } from '../../chains/daemon/blocks.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { findAnyImport } from '../../chains/daemon/findImport.ts';
import { findAnywhere } from '../../chains/daemon/findTransaction.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import type { DaemonClient, Gateway } from '../../chains/daemon/types.ts';
import type { Publication } from './publication.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type {
	Finding,
	FindingMessage,
	RefusalReason
} from '#lib/messages/notary-approvals/findings.ts';

export interface BurnCheck {
	/** Result of `migrate_checkburntransactionsource`. */
	daemon: Finding[];
	/** Result of our own checks of the bytes and chains. */
	own: Finding[];
	/** The proof for the approval; null when any check failed. */
	txOutProof: string | null;
}

/** Confirmations below which a reorganization could still remove a burn. */
const FEW_CONFIRMATIONS = 10;

const REASONS: Readonly<Partial<Record<DaemonErrorCode, RefusalReason>>> = {
	'migration.not-on-kmd': 'main-chain',
	'migration.burn-unknown': 'unknown-burn',
	'migration.burn-pending': 'in-mempool',
	'migration.no-burn': 'no-burn',
	'migration.burn-without-source': 'no-source',
	'migration.burn-token-data': 'token-data',
	'migration.burn-other-token': 'other-token',
	'migration.burn-token-unknown': 'unknown-token',
	'migration.token-fungible': 'fungible-token',
	'migration.burn-token-creation': 'unreadable-token',
	'migration.burn-token-units': 'token-amount',
	'migration.burn-other-data': 'other-data',
	'migration.burn-output': 'no-burn',
	'migration.burn-other-source': 'other-source',
	'migration.burn-other-ccid': 'other-ccid',
	'migration.on-destination': 'own-chain'
};

class Findings {
	readonly list: Finding[] = [];

	/** Records whether a check passed, and returns it. */
	say(holds: boolean, id: string, yes: FindingMessage, otherwise: FindingMessage): boolean {
		this.list.push({
			id,
			result: holds ? 'ok' : 'fail',
			message: holds ? yes : otherwise
		});
		return holds;
	}

	ok(id: string, message: FindingMessage): void {
		this.list.push({ id, result: 'ok', message });
	}

	warn(id: string, message: FindingMessage): void {
		this.list.push({ id, result: 'warn', message });
	}

	fail(id: string, message: FindingMessage): void {
		this.list.push({ id, result: 'fail', message });
	}

	/** Records a check that could not be made, which prevents the approval. */
	unasked(id: string, error: unknown): void {
		if (!isAppError(error, 'daemon')) throw error;
		this.fail(id, { code: 'unavailable', params: { error: error.coded } });
	}

	get failed(): boolean {
		return this.list.some(({ result }) => result === 'fail');
	}
}

type DaemonCheck = DaemonResult<'migrate_checkburntransactionsource'>;

async function askDaemon(
	source: DaemonClient,
	burn: Publication,
	findings: Findings
): Promise<DaemonCheck | null> {
	try {
		const answer = wholeOf(await source.call('migrate_checkburntransactionsource', burn.burnTxid));
		findings.ok('daemon', { code: 'daemon.approves', params: { chain: burn.source } });
		return answer;
	} catch (error) {
		const said = isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error')
			? (error.params.rpcMessage ?? '').trim()
			: null;
		if (said === null) {
			findings.unasked('daemon', error);
			return null;
		}
		const code = refusalCode(error);
		const reason = code === null ? undefined : REASONS[code];
		findings.fail(
			'daemon',
			reason
				? { code: 'daemon.refuses', params: { reason, chain: burn.source, said } }
				: { code: 'daemon.refuses-otherwise', params: { said } }
		);
		return null;
	}
}

/** Compares the daemon's answer with the published burn. */
function compareNames(answer: DaemonCheck, burn: Publication, findings: Findings): void {
	const { sourceSymbol, targetSymbol, targetCcid, tokenid } = answer;
	findings.say(
		sourceSymbol === burn.source && targetSymbol === burn.destination,
		'route',
		{ code: 'route.same', params: { source: sourceSymbol, destination: targetSymbol } },
		{
			code: 'route.other',
			params: {
				source: sourceSymbol,
				destination: targetSymbol,
				publishedSource: burn.source,
				publishedDestination: burn.destination
			}
		}
	);
	findings.say(
		targetCcid === burn.ccid,
		'ccid',
		{ code: 'ccid.same', params: { ccid: targetCcid } },
		{ code: 'ccid.other', params: { ccid: targetCcid, published: burn.ccid } }
	);
	if (burn.tokenid !== null || tokenid !== undefined) {
		findings.say(
			tokenid === burn.tokenid,
			'token',
			{ code: 'token.same', params: { tokenid: tokenid ?? '' } },
			{ code: 'token.other', params: { tokenid: tokenid ?? null, published: burn.tokenid } }
		);
	}
}

/** Checks value and recipients in the published bytes. */
function readBytes(burn: Publication, findings: Findings): void {
	const read = parseBurn(parseTransaction(burn.burnHex));
	const payouts = parsePayouts(burn.payouts);
	const fits = read !== null && bytesEqual(payoutsHash(payouts), read.payoutsHash);
	findings.say(
		fits,
		'payouts',
		{ code: 'payouts.same', params: {} },
		{ code: 'payouts.other', params: {} }
	);
	findings.say(
		read?.targetSymbol === burn.destination && read.targetCcid === burn.ccid,
		'meant-for',
		{ code: 'meant-for.same', params: { chain: burn.destination } },
		{ code: 'meant-for.other', params: { chain: burn.destination, ccid: burn.ccid } }
	);
	if (burn.tokenid !== null) return;
	const paid = valueOf(payouts);
	const isEnough = paid <= burn.burned && paid >= burn.burned - IMPORT_FEE;
	const params = { burned: String(burn.burned), paid: String(paid), ticker: burn.source };
	findings.say(
		isEnough,
		'value',
		{ code: 'value.enough', params },
		{ code: 'value.other', params }
	);
}

async function checkPlace(
	source: DaemonClient,
	burn: Publication,
	findings: Findings
): Promise<void> {
	try {
		const found = await findAnywhere(source, burn.burnTxid, { mayBeOld: false });
		const same = found.where !== 'absent' && found.hex === burn.burnHex;
		const params = { chain: burn.source };
		findings.say(
			same,
			'bytes',
			{ code: 'bytes.same', params },
			{ code: found.where === 'absent' ? 'bytes.absent' : 'bytes.other', params }
		);
	} catch (error) {
		findings.unasked('bytes', error);
	}
}

/** Checks the proof, and asks the source whether the block is in its chain. */
async function checkProof(
	source: DaemonClient,
	algorithm: string | null,
	burn: Publication,
	proof: string,
	findings: Findings
): Promise<void> {
	const block = readOrNull(() => proveBlock(proof));
	if (block === null) {
		findings.fail('proof', { code: 'proof.unreadable', params: {} });
		return;
	}
	const { sound, txids, header: proven } = block;
	let named: string | null = null;
	let unasked: unknown = null;
	try {
		named = await hashOfHeader(source.call, algorithm, proven);
	} catch (error) {
		unasked = error;
	}
	findings.say(
		sound && txids.includes(burn.burnTxid),
		'proof',
		named === null
			? { code: 'proof.holds-unnamed', params: {} }
			: { code: 'proof.holds', params: { block: named } },
		{ code: sound ? 'proof.other-transaction' : 'proof.broken', params: {} }
	);
	if (unasked !== null) findings.unasked('block', unasked);
	else if (named === null) {
		findings.fail('block', { code: 'block.orphaned', params: { chain: burn.source } });
	} else await checkBlock(source, burn, named, findings);
}

/** Asks the source whether the block of the proof is in its chain. */
async function checkBlock(
	source: DaemonClient,
	burn: Publication,
	blockHash: string,
	findings: Findings
): Promise<void> {
	try {
		const header = await source.call('getblockheader', blockHash);
		const { confirmations, rawconfirmations, height } =
			typeof header === 'string' ? { confirmations: -1, rawconfirmations: -1, height: 0 } : header;
		const own = findings.say(
			confirmations > 0,
			'block',
			{
				code: 'block.main',
				params: { chain: burn.source, height, confirmations: rawconfirmations }
			},
			{ code: 'block.orphaned', params: { chain: burn.source } }
		);
		// The daemon reports 1 confirmation until the block is notarized, after which it is final.
		if (own && confirmations <= 1 && rawconfirmations < FEW_CONFIRMATIONS) {
			findings.warn('depth', {
				code: 'depth.shallow',
				params: { confirmations: rawconfirmations }
			});
		}
	} catch (error) {
		if (isAppError(error, 'daemon.rpc-error')) {
			findings.fail('block', {
				code: 'block.unknown',
				params: { chain: burn.source, block: blockHash }
			});
		} else findings.unasked('block', error);
	}
}

/** Checks that the burn was not imported: it can be imported only once, so another approval would be useless. */
async function checkUnused(
	target: DaemonClient,
	burn: Publication,
	findings: Findings,
	onRead: (from: bigint) => Promise<void>
): Promise<void> {
	try {
		const { found } = await findAnyImport(target, burn.burnTxid, burn.importScanFrom, onRead);
		const chain = burn.destination;
		findings.say(
			found === null,
			'unused',
			{ code: 'import.none', params: { chain } },
			{ code: 'import.found', params: { chain, txid: found?.txid ?? '' } }
		);
	} catch (error) {
		findings.unasked('unused', error);
	}
}

/**
 * Checks a published burn. Failures of daemons become failed checks.
 * @param onRead called with the first block of the destination that the next check has to read
 */
export async function checkBurn(
	gateway: Gateway,
	burn: Publication,
	onRead: (from: bigint) => Promise<void>
): Promise<BurnCheck> {
	const source = daemonClientOf(gateway, burn.sourceDaemon);
	const target = daemonClientOf(gateway, burn.destinationDaemon);
	const said = new Findings();
	const own = new Findings();
	const answer = await askDaemon(source, burn, said);
	if (answer) compareNames(answer, burn, said);
	readBytes(burn, own);
	await checkPlace(source, burn, own);
	const algorithm = gateway.daemon(burn.sourceDaemon)?.algorithm ?? null;
	if (answer) await checkProof(source, algorithm, burn, answer.txOutProof, own);
	await checkUnused(target, burn, own, onRead);
	const good = answer !== null && !said.failed && !own.failed;
	return { daemon: said.list, own: own.list, txOutProof: good ? answer.txOutProof : null };
}
